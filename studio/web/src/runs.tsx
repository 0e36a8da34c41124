// Runs of passes as figures.

import { useEffect, useRef } from "preact/hooks";
import { grouped } from "./parts";
import type { Runs } from "./types";

/** What all runs together did to the sizes. */
export function sizes({ before, after, milliseconds, runs }: Runs): string {
    const change = (name: string, from: number, to: number) => `${name} ${grouped(from)} → ${grouped(to)}`;
    const parts = [change("nodes", before.nodes, after.nodes), change("edges", before.edges, after.edges), change("cells", before.cells, after.cells)];
    return [...parts, `${milliseconds.toFixed(1)} ms in ${runs.length} runs`].join(" · ");
}

/** A run in a table. */
export function Row({ run, isChosen, choose }: { run: Runs["runs"][number]; isChosen: boolean; choose: () => void }) {
    const row = useRef<HTMLTableRowElement>(null);
    useEffect(() => {
        if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
    }, [isChosen]);
    return (
        <tr ref={row} aria-selected={isChosen} class={run.changed ? "" : "idle"} onClick={choose}>
            <td>{run.number}</td>
            <td title={`round ${run.round}`}>{run.pass}</td>
            <td title={run.notes.join("\n")}>{run.delta ?? (run.changed ? (run.notes[0] ?? "sizes stay the same") : "–")}</td>
            <td>{run.milliseconds.toFixed(2)}</td>
        </tr>
    );
}

/** Nodes and edges after each run. */
export function Chart({ runs, number, choose }: { runs: Runs; number: number | null; choose: (number: number) => void }) {
    const points = [{ number: 0, ...runs.before }, ...runs.runs.map((run) => ({ number: run.number, ...run.after }))];
    const most = Math.max(1, ...points.map((point) => Math.max(point.edges, point.nodes)));
    const [width, height] = [600, 60];
    const x = (at: number) => (at / Math.max(1, points.length - 1)) * width;
    const y = (value: number) => height - 2 - (value / most) * (height - 6);
    const line = (value: (point: (typeof points)[number]) => number) => points.map((point, at) => `${x(at).toFixed(1)},${y(value(point)).toFixed(1)}`).join(" ");
    const chosen = points.findIndex((point) => point.number === number);
    return (
        <svg
            class="sizes"
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label="Nodes and edges after each run"
            onClick={(event) => {
                const { left, width } = event.currentTarget.getBoundingClientRect();
                const point = points[Math.max(1, Math.round(((event.clientX - left) / width) * (points.length - 1)))];
                if (point) choose(point.number);
            }}
        >
            <polyline class="edges" points={line((point) => point.edges)}><title>edges</title></polyline>
            <polyline class="nodes" points={line((point) => point.nodes)}><title>nodes</title></polyline>
            {chosen >= 0 && <line class="now" x1={x(chosen)} x2={x(chosen)} y1={0} y2={height} />}
        </svg>
    );
}
