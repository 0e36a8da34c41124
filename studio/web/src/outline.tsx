// What the text consists of: a list to look through, and where in it the cursor is.

import type { LSPClient } from "@codemirror/lsp-client";
import type { Extension, Text } from "@codemirror/state";
import { useEffect, useRef, useState } from "preact/hooks";
import { follow } from "./follow";
import { useDrop } from "./parts";
import { offset, type Range } from "./places";
import { store } from "./store";

interface Symbol {
    name: string;
    detail?: string;
    range: Range;
    selectionRange: Range;
    children?: Symbol[];
}

/** A part of the text. */
export interface Part {
    name: string;
    what: string;
    depth: number;
    from: number;
    to: number;
    /** Where its name is. */
    at: number;
    end: number;
}

/** Parts that are listed at once. */
const LISTED = 500;

function parts(doc: Text, symbols: Symbol[], depth = 0): Part[] {
    return symbols.flatMap(({ name, detail, range, selectionRange, children }) => [
        { name, what: detail ?? "", depth, from: offset(doc, range.start), to: offset(doc, range.end), at: offset(doc, selectionRange.start), end: offset(doc, selectionRange.end) },
        ...parts(doc, children ?? [], depth + 1),
    ]);
}

/** Reports what a text consists of that the client has open. */
export function outline(client: LSPClient, uri: string, report: (parts: Part[]) => void): Extension {
    const ask = () => client.request<object, Symbol[] | null>("textDocument/documentSymbol", { textDocument: { uri } });
    return follow(client, ask, (_view, found, doc) => report(parts(doc, found)));
}

export function Outline({ parts }: { parts: Part[] }) {
    const [cursor, setCursor] = useState(store.cursor);
    const [search, setSearch] = useState("");
    const box = useRef<HTMLDetailsElement>(null);
    const list = useRef<HTMLDivElement>(null);
    useDrop(box, () => dispatchEvent(new Event("write")));
    useEffect(() => {
        const follow = () => setCursor(store.cursor);
        const keys = (event: KeyboardEvent) => {
            if (!box.current || !(event.ctrlKey || event.metaKey) || !event.shiftKey || event.key.toLowerCase() !== "o") return;
            event.preventDefault();
            box.current.open = true;
            box.current.querySelector("input")?.focus();
        };
        addEventListener("cursor", follow);
        addEventListener("keydown", keys);
        return () => {
            removeEventListener("cursor", follow);
            removeEventListener("keydown", keys);
        };
    }, []);
    const around = parts.filter(({ from, to }) => from <= cursor && cursor <= to);
    const fitting = parts.filter(({ name, what }) => `${what} ${name}`.toLowerCase().includes(search.toLowerCase()));
    const choose = ({ at, end }: Part) => {
        if (box.current) box.current.open = false;
        setSearch("");
        store.set({ goto: { from: at, to: end, isFocused: true } });
    };
    const keys = (event: KeyboardEvent) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (event.key === "Enter" && event.target instanceof HTMLInputElement && fitting[0]) choose(fitting[0]);
        else if (step) {
            const all = [...(list.current?.querySelectorAll<HTMLElement>("input, button") ?? [])];
            all[Math.min(all.length - 1, Math.max(0, all.indexOf(document.activeElement as HTMLElement) + step))]?.focus();
        } else return;
        event.preventDefault();
    };
    return (
        <details class="drop outline" ref={box} onKeyDown={keys}>
            <summary title="Ctrl+Shift+O">{around.length > 0 ? around.map(({ name }) => name).join(" › ") : "outline"}</summary>
            <div class="list" ref={list}>
                <input type="search" placeholder="Find a part" aria-label="Find a part" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
                <ul>
                    {fitting.slice(0, LISTED).map((part, at) => (
                        <li key={at}>
                            <button style={{ paddingLeft: `${8 + 12 * Math.min(8, search ? 0 : part.depth)}px` }} onClick={() => choose(part)}>
                                {part.name} <span class="figures">{part.what}</span>
                            </button>
                        </li>
                    ))}
                </ul>
                {fitting.length === 0 && <p class="hint">{parts.length === 0 ? "The text has no parts yet." : "no part fits"}</p>}
            </div>
        </details>
    );
}
