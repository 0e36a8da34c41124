// The report on the game: figures of random plays, sizes, dead rules, and whether it is a proper game.

import { useState } from "preact/hooks";
import { useJob } from "./job";
import { Empty, Notice, Trouble } from "./parts";
import { replay } from "./replay";
import { failureOf } from "./rpc";
import { store, useStore, type Place } from "./store";
import type { Failure, Report } from "./types";

export function AuditPanel() {
    const { open, good } = useStore();
    const [playouts, setPlayouts] = useState(1000);
    const [positions, setPositions] = useState(10_000);
    const [proper, setProper] = useState(true);
    const [progress, setProgress] = useState("");
    /** The report, and the version of the text that it is about. */
    const [made, setMade] = useState<{ report: Report; version: number; text: string } | null>(null);
    const [asked, setAsked] = useState({ version: 0, text: "" });
    const job = useJob((kind, what) => {
        if (kind === "progress") setProgress(what);
        if (kind === "report") setMade({ report: what, ...asked });
    });
    if (!open) return <Empty>Open a game to have a report on it.</Empty>;
    if (!good) return <Empty>There is a report once the text has no errors.</Empty>;
    const start = (event: Event) => {
        event.preventDefault();
        setMade(null);
        setProgress("");
        setAsked({ version: good.version, text: good.text });
        job.start("audit.start", { game: open.game, version: good.version, playouts, positions, proper });
    };
    const number = (value: number, set: (value: number) => void, name: string) => (
        <label>
            {name}
            <input type="number" min="1" max="1000000" value={value} onInput={(event) => set(Number(event.currentTarget.value) || 1)} />
        </label>
    );
    return (
        <div class="audit">
            <form class="toolbar" onSubmit={start}>
                {number(playouts, setPlayouts, "playouts")}
                {number(positions, setPositions, "positions")}
                <label title="Whether moves are valid and unambiguous, and every play ends"><input type="checkbox" checked={proper} onChange={(event) => setProper(event.currentTarget.checked)} /> proper?</label>
                {job.isRunning ? <button key="stop" type="button" class="stop" onClick={job.stop}>Stop</button> : <button key="make" type="submit" class="main">Audit</button>}
            </form>
            {job.isRunning && <p class="figures facts" role="status">{progress || "reading the rules…"}</p>}
            {job.failure && <Trouble failure={job.failure} />}
            {made && made.version !== good.version && <Notice kind="info">The rules have changed since this report was made.</Notice>}
            {made && <Sections report={made.report} text={made.text} />}
            {!made && !job.isRunning && !job.failure && <Empty>Random plays and the positions near the start tell how long games are, who wins, how large the game is, and which rules are never used.</Empty>}
        </div>
    );
}

/** What is called so has the moves after which a condition is broken. */
const AFTER = "after the moves";

function Sections({ report, text }: { report: Report; text: string }) {
    const { open, good } = useStore();
    const [failure, setFailure] = useState<Failure | null>(null);
    const verdict = report.sections.find(({ title }) => title === "properness");
    // What is wrong is read first.
    const sections = report.wrong && verdict ? [verdict, ...report.sections.filter((section) => section !== verdict)] : report.sections;
    const broken = verdict?.lines.filter(([name]) => name.trim() === AFTER) ?? [];
    const show = async (moves: string[]) => {
        if (!open || !good) return;
        try {
            await replay({ game: open.game, version: good.version, players: good.players.map(() => "person") }, { moves, ply: moves.length }, "After the moves of the report");
        } catch (error) {
            setFailure(failureOf(error));
        }
    };
    const shown = (line: [string, string]) => {
        const moves = report.plays[broken.indexOf(line)];
        if (moves && moves.length > 0) return <>{line[1]} <button class="link" onClick={() => void show(moves)}>Show it on the board</button></>;
        const place = placeIn(line, text);
        return place ? <button class="link" title="Show it in the rules" onClick={() => store.set({ goto: place })}>{line[1]}</button> : line[1];
    };
    return (
        <>
            <p class="figures facts">{report.kind}</p>
            {failure && <Trouble failure={failure} dismiss={() => setFailure(null)} />}
            {report.findings.map((finding, at) => <Trouble key={at} failure={finding} />)}
            {sections.map(({ title, lines, plots }) => (
                <section key={title} aria-label={title}>
                    <h3>{title}</h3>
                    <dl>{lines.map((line, at) => <div key={at}><dt>{line[0]}</dt><dd>{shown(line)}</dd></div>)}</dl>
                    {plots.length > 0 && (
                        <div class="plots">
                            {plots.map(({ caption, svg }) => (
                                <figure key={caption}>
                                    <div dangerouslySetInnerHTML={{ __html: svg }} />
                                    <figcaption>{caption}</figcaption>
                                </figure>
                            ))}
                        </div>
                    )}
                </section>
            ))}
        </>
    );
}

/** The place in the text that a line of the report names: by its name, as `12:3`, or by what it says, as `at line 12, column 3`. */
function placeIn([name, value]: [string, string], text: string): Place | null {
    const found = /^\s*(\d+):(\d+)$/.exec(name) ?? /^at line (\d+), column (\d+)/.exec(value);
    if (!found) return null;
    const [row, column] = [Number(found[1]), Number(found[2])];
    const lines = text.split("\n");
    const start = lines.slice(0, row - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const end = start + (lines[row - 1]?.length ?? 0);
    return { from: Math.min(start + column - 1, end), to: end };
}
