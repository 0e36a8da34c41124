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

/** Which runs are looked at: those from `since` to `number`, or this one alone. */
export interface Chosen {
    number: number | null;
    since: number | null;
}

/** The runs in a table, through which keys lead. `choose` is told of a run, and whether it is to be looked at together with the one that was chosen before. */
export function List(props: { runs: Runs["runs"]; chosen: Chosen; choose: (number: number, isFurther: boolean) => void; more?: boolean }) {
    const { runs, chosen, choose, more } = props;
    const { number, since } = chosen;
    const box = useRef<HTMLDivElement>(null);
    const keys = (event: KeyboardEvent) => {
        const by = { j: 1, J: 1, ArrowDown: 1, k: -1, K: -1, ArrowUp: -1 }[event.key];
        if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
        const target = event.target as HTMLElement;
        const isInside = box.current?.contains(target);
        // Letters work wherever nothing is typed, as long as the list is seen; arrows have other meanings elsewhere.
        const isLetter = event.key.length === 1 && !target.isContentEditable && !target.closest("input, select, textarea, .cm-editor");
        if (!isInside && !(isLetter && box.current?.offsetParent)) return;
        event.preventDefault();
        const at = runs.findIndex((run) => run.number === number);
        const next = runs[Math.min(runs.length - 1, Math.max(0, at + by))];
        if (next) choose(next.number, event.shiftKey);
    };
    useEffect(() => {
        addEventListener("keydown", keys);
        return () => removeEventListener("keydown", keys);
    });
    const isChosen = (run: number) => number !== null && Math.min(number, since ?? number) <= run && run <= Math.max(number, since ?? number);
    return (
        <div class="runs" ref={box} tabIndex={0} aria-label={more ? "Runs of passes: j and k step, with Shift to look at several" : "Runs of passes: j and k step"}>
            <table>
                <thead>
                    <tr>{["run", "pass", "effect", "ms"].map((name) => <th key={name} scope="col">{name}</th>)}</tr>
                </thead>
                <tbody>
                    {runs.map((run) => (
                        <Row key={run.number} run={run} isChosen={isChosen(run.number)} isLast={run.number === number} choose={(isFurther) => choose(run.number, isFurther)} />
                    ))}
                </tbody>
            </table>
            {runs.length === 0 && <p class="hint">No pass changes anything.</p>}
        </div>
    );
}

/** A run in a table. */
function Row({ run, isChosen, isLast, choose }: { run: Runs["runs"][number]; isChosen: boolean; isLast: boolean; choose: (isFurther: boolean) => void }) {
    const row = useRef<HTMLTableRowElement>(null);
    useEffect(() => {
        if (isLast) row.current?.scrollIntoView({ block: "nearest" });
    }, [isLast]);
    return (
        <tr
            ref={row}
            data-run={run.number}
            aria-selected={isChosen}
            class={run.changed ? "" : "idle"}
            onMouseDown={(event) => event.shiftKey && event.preventDefault()}
            onClick={(event) => choose(event.shiftKey)}
        >
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
        <figure class="growth">
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
        <figcaption class="figures"><span class="key nodes">nodes</span><span class="key edges">edges</span> after each run</figcaption>
        </figure>
    );
}
