// How fast the game runs, and how many sequences of moves it has.

import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { useJob, type Job } from "./job";
import { Empty, NumberField, Trouble, grouped } from "./parts";
import { useStore } from "./store";
import type { PerftRow, Sample } from "./types";

/** Bytes as people read them. */
const memory = (bytes: number) => (bytes < 2 ** 20 / 10 ? "< 0.1 MiB" : `${(bytes / 2 ** 20).toFixed(1)} MiB`);

export function MeasurePanel() {
    const { open, good } = useStore();
    if (!open) return <Empty>Open a game to measure it.</Empty>;
    if (!good) return <Empty>The game can be measured once its text has no errors.</Empty>;
    return (
        <div class="measure">
            <Playouts game={open.game} version={good.version} />
            <Perft game={open.game} version={good.version} />
        </div>
    );
}

function Playouts({ game, version }: { game: number; version: number }) {
    const { hello } = useStore();
    const [samples, setSamples] = useState<Sample[]>([]);
    const [seconds, setSeconds] = useState(2);
    const [courses, setCourses] = useState<Record<string, number[]>>({});
    const job = useJob((kind, what: Sample) => {
        if (kind !== "sample") return;
        setSamples((samples) => [...samples.filter((sample) => sample.engine !== what.engine), what]);
        if (!what.failure) setCourses((courses) => ({ ...courses, [what.engine]: [...(courses[what.engine] ?? []), what.states / Math.max(what.seconds, 1e-9)] }));
    });
    const start = () => {
        // Who thinks beside it would take a part of the time.
        dispatchEvent(new Event("quiet"));
        setSamples([]);
        setCourses({});
        job.start("measure.start", { game, version, engines: hello?.engines ?? [], seconds });
    };
    const engines = hello?.engines ?? [];
    const last = samples.at(-1);
    const engine = last && !last.over && !last.failure ? last.engine : engines[samples.length];
    const best = Math.max(1, ...samples.map((sample) => (sample.failure ? 0 : sample.states / Math.max(sample.seconds, 1e-9))));
    return (
        <section>
            <h3>Random playouts</h3>
            <div class="toolbar">
                <label>
                    seconds for an engine
                    <NumberField value={seconds} least={0.5} most={60} step={0.5} change={setSeconds} />
                </label>
                {job.isRunning ? <button class="stop" onClick={job.stop}>Stop</button> : <button class="main" onClick={start}>Measure</button>}
            </div>
            {job.failure && <Trouble failure={job.failure} />}
            <State job={job} busy={engine ? `measuring ${engine}` : "preparing"} missing={engines.length > samples.length ? engines.slice(samples.length).join(", ") : ""} />
            {samples.length === 0 && !job.isRunning && !job.failure && <p class="facts">Every engine plays random games for so long, one engine after the other: which is the fastest for these rules?</p>}
            {samples.length > 0 && (
                <div class="wide"><table class="figures-table">
                    <thead>
                        <tr>{COLUMNS.map(([name, what], at) => <th key={at} scope="col" title={what}><Breaking text={name} /></th>)}</tr>
                    </thead>
                    <tbody>
                        {samples.map((sample) => {
                            if (sample.failure) return <tr key={sample.engine}><th scope="row">{sample.engine}</th><td colSpan={8} class="left">{sample.failure.message}</td></tr>;
                            const speed = (count: number) => count / Math.max(sample.seconds, 1e-9);
                            return (
                                <tr key={sample.engine} data-engine={sample.engine}>
                                    <th scope="row">{sample.engine}</th>
                                    <td>{grouped(speed(sample.playouts))}</td>
                                    <td>{grouped(speed(sample.states))}</td>
                                    <td><span class="gauge"><span style={{ width: `${(speed(sample.states) / best) * 100}%` }} /></span></td>
                                    <td>{(sample.states / Math.max(1, sample.playouts)).toFixed(1)}</td>
                                    <td>{(sample.moves / Math.max(1, sample.states)).toFixed(1)}</td>
                                    <td>{(sample.prepared * 1000).toFixed(0)} ms</td>
                                    <td>{grouped(sample.bytes)} B</td>
                                    <td title="What the program took more than before, from preparing the engine on">{sample.memory === null ? "–" : memory(sample.memory)}</td>
                                </tr>
                            );
                        })}
                    </tbody>
                </table></div>
            )}
            <Courses courses={courses} />
        </section>
    );
}

/** What is measured of an engine, with what a name does not say. */
const COLUMNS: [string, string?][] = [
    ["engine"],
    ["playouts/s", "Random games in a second"],
    ["states/s", "Positions of these games in a second"],
    [""],
    ["plies/game", "Moves of a game, on average"],
    ["moves/state", "Legal moves in a position, on average"],
    ["start-up", "Time to prepare the engine"],
    ["state", "Size of a position"],
    ["memory", "What the program took more than before, from preparing the engine on"],
];

/** A text whose lines may be broken behind a `/`, and nowhere else. */
function Breaking({ text }: { text: string }) {
    return <>{text.split(/(?<=\/)/).map((part, at) => <Fragment key={at}>{at > 0 && <wbr />}<span class="whole">{part}</span></Fragment>)}</>;
}

/** What is being done, or what is missing because it was stopped. */
function State({ job, busy, missing }: { job: Job; busy: string; missing: string }) {
    if (job.isRunning) return <p class="figures state" role="status">{busy}…</p>;
    if (job.isStopped && missing) return <p class="figures state" role="status">stopped: without {missing}</p>;
    return null;
}

/** States per second while it is measured, a line for each engine. */
function Courses({ courses }: { courses: Record<string, number[]> }) {
    const lines = Object.entries(courses).filter(([, values]) => values.length > 1);
    if (lines.length === 0) return null;
    const most = Math.max(...lines.flatMap(([, values]) => values));
    const long = Math.max(...lines.map(([, values]) => values.length));
    const points = (values: number[]) => values.map((value, at) => `${((at / (long - 1)) * 600).toFixed(1)},${(118 - (value / most) * 112).toFixed(1)}`).join(" ");
    return (
        <figure class="courses">
            <svg viewBox="0 0 600 120" preserveAspectRatio="none" role="img" aria-label="States per second over time">
                {lines.map(([engine, values], at) => <polyline key={engine} class={`course c${at % 6}`} points={points(values)} />)}
            </svg>
            <figcaption>
                states per second over time, up to {grouped(most)}:
                {lines.map(([engine], at) => <span key={engine} class={`key c${at % 6}`}>{engine}</span>)}
            </figcaption>
        </figure>
    );
}

function Perft({ game, version }: { game: number; version: number }) {
    const [depth, setDepth] = useState(4);
    const [divide, setDivide] = useState(false);
    const [rows, setRows] = useState<PerftRow[]>([]);
    const job = useJob((kind, what: PerftRow) => kind === "row" && setRows((rows) => [...rows, what]));
    const [wanted, setWanted] = useState(0);
    const isShort = rows.length < wanted && rows.at(-1)?.leaves !== "0";
    const start = () => {
        setRows([]);
        setWanted(depth);
        job.start("perft.start", { game, version, depth, divide });
    };
    const last = rows.at(-1);
    return (
        <section>
            <h3>Sequences of moves (perft)</h3>
            <div class="toolbar">
                <label>
                    up to
                    <NumberField value={depth} least={1} most={40} change={setDepth} />
                    moves
                </label>
                <label><input type="checkbox" checked={divide} onChange={(event) => setDivide(event.currentTarget.checked)} /> by first moves</label>
                {job.isRunning ? <button class="stop" onClick={job.stop}>Stop</button> : <button class="main" onClick={start}>Count</button>}
            </div>
            {job.failure && <Trouble failure={job.failure} />}
            <State job={job} busy={`counting depth ${rows.length + 1}`} missing={isShort ? `depths ${rows.length + 1} to ${wanted}` : ""} />
            {rows.length === 0 && !job.isRunning && !job.failure && (
                <p class="facts">All sequences of so many moves from the first position are counted: a check of the rules. A comment such as <code>// perft: 20 400</code> has the numbers that are expected.</p>
            )}
            {rows.length > 0 && (
                <table class="figures-table" data-over={!job.isRunning}>
                    <thead>
                        <tr>{["depth", "sequences", "seconds", "per second", "claimed"].map((name) => <th key={name} scope="col" title={name === "claimed" ? "The number that a comment in the rules has for this depth: // perft: 20 400 …" : undefined}>{name}</th>)}</tr>
                    </thead>
                    <tbody>
                        {rows.map((row) => (
                            <tr key={row.depth} data-depth={row.depth}>
                                <th scope="row">{row.depth}</th>
                                <td class="leaves">{grouped(Number(row.leaves))}</td>
                                <td>{row.seconds < 0.0005 ? "< 0.001" : row.seconds.toFixed(3)}</td>
                                <td>{grouped(Number(row.leaves) / Math.max(row.seconds, 1e-6))}</td>
                                <td class={row.known === null ? "" : row.known === row.leaves ? "right" : "wrong"}>
                                    {row.known === null ? "–" : row.known === row.leaves ? "✓ the same" : `✗ ${grouped(Number(row.known))}`}
                                </td>
                            </tr>
                        ))}
                    </tbody>
                </table>
            )}
            {last && last.shares.length > 0 && (
                <ul class="shares" aria-label="By first moves">
                    {last.shares.map(([text, leaves]) => <li key={text}><span>{text}</span> <b>{grouped(Number(leaves))}</b></li>)}
                </ul>
            )}
        </section>
    );
}
