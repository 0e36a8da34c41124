// What the language server writes into the text without being part of it: remarks between words, and what can be done with the game, above its rules.

import type { LSPClient } from "@codemirror/lsp-client";
import { StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";
import { follow } from "./follow";
import { offset, type Place, type Range } from "./places";
import { store, type Panel } from "./store";

interface Hint {
    position: Place;
    label: string | { value: string }[];
    paddingLeft?: boolean;
    paddingRight?: boolean;
}

interface Lens {
    range: Range;
    command?: { title: string; command: string };
}

/** Milliseconds after which lenses are asked for once more: numbers of plays take their time. */
const COUNTING = 2500;

/** The panels that commands stand for. */
const PANELS: Record<string, Panel> = { "rgc.play": "play", "rgc.perft": "measure", "rgc.bench": "measure", "rgc.draw": "graph" };

class Remark extends WidgetType {
    constructor(readonly text: string, readonly padding: string) {
        super();
    }

    override eq(other: Remark): boolean {
        return other.text === this.text && other.padding === this.padding;
    }

    toDOM(): HTMLElement {
        const element = document.createElement("span");
        element.className = `remark ${this.padding}`;
        element.textContent = this.text;
        return element;
    }
}

class Commands extends WidgetType {
    constructor(readonly commands: { title: string; command: string }[]) {
        super();
    }

    override eq(other: Commands): boolean {
        return JSON.stringify(other.commands) === JSON.stringify(this.commands);
    }

    toDOM(): HTMLElement {
        const element = document.createElement("div");
        element.className = "lenses";
        for (const { title, command } of this.commands) {
            const button = document.createElement("button");
            button.textContent = title;
            // The keys of the editor stay in the editor; panels have keys of their own.
            button.tabIndex = -1;
            button.onclick = () => store.set({ panel: PANELS[command] ?? store.panel });
            element.append(button);
        }
        return element;
    }

    override ignoreEvent(): boolean {
        return true;
    }
}

function field(found: ReturnType<typeof StateEffect.define<DecorationSet>>) {
    return StateField.define<DecorationSet>({
        create: () => Decoration.none,
        update(value, transaction) {
            value = value.map(transaction.changes);
            for (const effect of transaction.effects) if (effect.is(found)) value = effect.value;
            return value;
        },
        provide: (field) => EditorView.decorations.from(field),
    });
}

const hinted = StateEffect.define<DecorationSet>();
const hintField = field(hinted);
const lensed = StateEffect.define<DecorationSet>();
const lensField = field(lensed);

function hints(doc: Text, found: Hint[]): DecorationSet {
    const widget = ({ position, label, paddingLeft, paddingRight }: Hint) => {
        const text = typeof label === "string" ? label : label.map(({ value }) => value).join("");
        const padding = `${paddingLeft ? "left" : ""} ${paddingRight ? "right" : ""}`;
        return Decoration.widget({ widget: new Remark(text, padding), side: paddingRight ? -1 : 1 }).range(offset(doc, position));
    };
    return Decoration.set(found.map(widget), true);
}

function lenses(doc: Text, found: Lens[]): DecorationSet {
    const lines = new Map<number, { title: string; command: string }[]>();
    for (const { range, command } of found) {
        if (!command || !PANELS[command.command]) continue;
        const at = doc.lineAt(offset(doc, range.start)).from;
        lines.set(at, [...(lines.get(at) ?? []), command]);
    }
    const widget = ([at, commands]: [number, { title: string; command: string }[]]) => Decoration.widget({ widget: new Commands(commands), side: -1, block: true }).range(at);
    return Decoration.set([...lines].map(widget), true);
}

/** Remarks and commands in a text that the client has open. */
export function remarks(client: LSPClient, uri: string): Extension {
    const textDocument = { uri };
    const range = { start: { line: 0, character: 0 }, end: { line: 2 ** 31 - 1, character: 0 } };
    const askHints = () => client.request<object, Hint[] | null>("textDocument/inlayHint", { textDocument, range });
    const askLenses = () => client.request<object, Lens[] | null>("textDocument/codeLens", { textDocument });
    return [
        hintField,
        lensField,
        follow(client, askHints, (view, found, doc) => view.dispatch({ effects: hinted.of(hints(doc, found)) })),
        follow(client, askLenses, (view, found, doc) => view.dispatch({ effects: lensed.of(lenses(doc, found)) }), COUNTING),
    ];
}
