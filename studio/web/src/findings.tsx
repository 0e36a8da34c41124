// What is wrong with the text: a list with lines, errors first, of which each leads to its place (Ctrl+Shift+M).

import { forEachDiagnostic } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import { useEffect, useRef } from "preact/hooks";
import { Marked, useDrop } from "./parts";
import { store, useStore } from "./store";

export type Severity = "error" | "warning" | "remark";

/** Something that the language server has found in the text; below the first line of its message is how to mend it. */
export interface Finding {
    severity: Severity;
    line: number;
    from: number;
    to: number;
    message: string;
}

const RANKS: Severity[] = ["error", "warning", "remark"];

/** Findings that are listed at once. */
const LISTED = 500;

/** What the editor shows, errors first, and otherwise in the order of the text. */
export function findingsOf(state: EditorState): Finding[] {
    const all: Finding[] = [];
    forEachDiagnostic(state, ({ severity, message }, from, to) => {
        const rank = severity === "error" || severity === "warning" ? severity : "remark";
        all.push({ severity: rank, line: state.doc.lineAt(from).number, from, to, message });
    });
    return all.sort((one, other) => RANKS.indexOf(one.severity) - RANKS.indexOf(other.severity) || one.from - other.from);
}

/** How a finding can be mended. */
const mendsOf = ({ message }: Finding) => message.split("\n").slice(1).map((line) => line.trim()).filter(Boolean);

export function FindingList() {
    const { findings } = useStore();
    const box = useRef<HTMLDetailsElement>(null);
    const list = useRef<HTMLUListElement>(null);
    useDrop(box, () => dispatchEvent(new Event("write")));
    useEffect(() => {
        const keys = (event: KeyboardEvent) => {
            if (!box.current || !(event.ctrlKey || event.metaKey) || !event.shiftKey || event.key.toLowerCase() !== "m") return;
            event.preventDefault();
            box.current.open = true;
            (list.current?.querySelector("button") ?? box.current.querySelector("summary"))?.focus();
        };
        addEventListener("keydown", keys);
        return () => removeEventListener("keydown", keys);
    }, []);
    const choose = ({ from, to }: Finding) => {
        if (box.current) box.current.open = false;
        store.set({ goto: { from, to, isFocused: true } });
    };
    const keys = (event: KeyboardEvent) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step) return;
        const all = [...(list.current?.querySelectorAll("button") ?? [])];
        all[Math.min(all.length - 1, Math.max(0, all.indexOf(document.activeElement as HTMLButtonElement) + step))]?.focus();
        event.preventDefault();
    };
    return (
        <details class="drop findings" ref={box} onKeyDown={keys}>
            <summary title="Ctrl+Shift+M">{findings.length === 1 ? "1 finding" : `${findings.length} findings`}</summary>
            <div class="list">
                <ul ref={list}>
                    {findings.slice(0, LISTED).map((finding, at) => (
                        <li key={at}>
                            <button onClick={() => choose(finding)}>
                                <span class="figures">line {finding.line}</span> <b data-severity={finding.severity}>{finding.severity}</b> <Marked text={finding.message.split("\n")[0] ?? ""} />
                                {mendsOf(finding).map((line, at) => <span key={at} class="mend"><Marked text={line} /></span>)}
                            </button>
                        </li>
                    ))}
                </ul>
                {findings.length === 0 && <p class="hint">Nothing was found in the text.</p>}
            </div>
        </details>
    );
}
