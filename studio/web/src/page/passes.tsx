// The runs of the passes, and what each of them changed in the text of the automaton.

import { useState } from "preact/hooks";
import { Empty } from "../parts";
import { Chart, List, sizes } from "../runs";
import type { Contents } from "./types";

export function Passes({ passes }: { passes: Contents["passes"] }) {
    const [number, setNumber] = useState<number | null>(() => passes.runs.find((run) => run.changed)?.number ?? null);
    const [all, setAll] = useState(false);
    const shown = passes.runs.filter((run) => all || run.changed);
    const run = passes.runs.find((run) => run.number === number);
    const difference = number === null ? undefined : passes.differences[number];
    return (
        <div class="passes">
            <div class="toolbar">
                <span class="figures">-O{passes.level}</span>
                <label><input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} /> runs without effect</label>
            </div>
            <p class="figures facts" role="status">{sizes(passes)}</p>
            <Chart runs={passes} number={number} choose={setNumber} />
            <List runs={shown} chosen={{ number, since: null }} choose={setNumber} />
            <div class="looked">
                {difference ? <Difference text={difference} /> : <Empty>{!run ? "Choose a run." : run.changed ? "This page has no text of what this run changed." : "This run changed nothing."}</Empty>}
            </div>
        </div>
    );
}

const KINDS: Record<string, string> = { "+": "added", "-": "removed", "@": "gap" };

/** Lines that a run removed and added. */
function Difference({ text }: { text: string }) {
    return (
        <pre class="unified" tabIndex={0} aria-label="What the run changed">
            {text.replace(/\n$/, "").split("\n").map((line, at) => <div key={at} class={KINDS[line.charAt(0)] ?? ""}>{line || " "}</div>)}
        </pre>
    );
}
