// The whole page: what game it is, its rules, and beside them a game, the automaton and the passes.

import { useState } from "preact/hooks";
import { Split } from "../split";
import { toggleTheme } from "../theme";
import { Automaton } from "./automaton";
import { Passes } from "./passes";
import { ReplayPanel } from "./replay";
import { Rules } from "./rules";
import type { Contents, Range } from "./types";

const PANELS = ["Replay", "Automaton", "Passes"] as const;

export function Page({ contents }: { contents: Contents }) {
    const [panel, setPanel] = useState<(typeof PANELS)[number]>("Replay");
    /** What is marked in the text, and the line whose nodes are marked. */
    const [marked, setMarked] = useState<Range | null>(null);
    const [line, setLine] = useState<Range | null>(null);
    const { title, what, name, program, players } = contents;
    const keys = (event: KeyboardEvent) => {
        const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        const next = PANELS[(PANELS.indexOf(panel) + step + PANELS.length) % PANELS.length];
        if (!step || !next) return;
        event.stopPropagation();
        setPanel(next);
        document.getElementById(`tab-${next}`)?.focus();
    };
    return (
        <div class="page">
            <header class="top">
                <strong class="open">{title}</strong>
                <span class="status" title={what}>{what}</span>
                <span class="grow" />
                <span class="badge">{name}</span>
                <span class="badge">{players.length === 1 ? "1 player" : `${players.length} players`}</span>
                <span class="status">rgc {program}</span>
                <button class="icon" aria-label="Light or dark" title="Light or dark" onClick={toggleTheme}>◐</button>
            </header>
            <div class="columns">
                <Split>
                    <section class="pane" aria-label="Rules">
                        <Rules text={contents.text} language={contents.language} marked={marked} choose={(range) => { setLine(range); setMarked(null); }} />
                    </section>
                    <section class="pane" aria-label="Panels">
                        <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={keys}>
                            {PANELS.map((name) => (
                                <button key={name} id={`tab-${name}`} role="tab" data-label={name} aria-selected={panel === name} tabIndex={panel === name ? 0 : -1} onClick={() => setPanel(name)}>
                                    {name}
                                </button>
                            ))}
                        </div>
                        <div class="panel" role="tabpanel" aria-labelledby={`tab-${panel}`}>
                            {panel === "Replay" && <ReplayPanel contents={contents} />}
                            {panel === "Automaton" && <Automaton automaton={contents.automaton} line={line} choose={setMarked} />}
                            {panel === "Passes" && <Passes passes={contents.passes} />}
                        </div>
                    </section>
                </Split>
            </div>
        </div>
    );
}
