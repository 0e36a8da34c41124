// What the language server knows of words, as colours: semantic tokens.

import type { LSPClient } from "@codemirror/lsp-client";
import { RangeSetBuilder, StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";
import { follow } from "./follow";

const found = StateEffect.define<DecorationSet>();

const tokens = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(value, transaction) {
        value = value.map(transaction.changes);
        for (const effect of transaction.effects) if (effect.is(found)) value = effect.value;
        return value;
    },
    provide: (field) => EditorView.decorations.from(field),
});

function marks(doc: Text, data: number[], types: string[]): DecorationSet {
    const builder = new RangeSetBuilder<Decoration>();
    let line = 0;
    let character = 0;
    for (let at = 0; at + 4 < data.length; at += 5) {
        const [down = 0, right = 0, length = 0, type = 0] = data.slice(at, at + 4);
        character = down ? right : character + right;
        line += down;
        const name = types[type];
        if (line >= doc.lines || !name) continue;
        const from = doc.line(line + 1).from + character;
        const to = Math.min(from + length, doc.length);
        if (from < to) builder.add(from, to, Decoration.mark({ class: `sem-${name}` }));
    }
    return builder.finish();
}

/** Colours the words of a text that the client has open. */
export function semanticTokens(client: LSPClient, uri: string): Extension {
    const ask = () => client.request<object, { data: number[] } | null>("textDocument/semanticTokens/full", { textDocument: { uri } });
    const types = (): string[] => client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
    return [tokens, follow(client, ask, (view, { data }, doc) => view.dispatch({ effects: found.of(marks(doc, data, types())) }))];
}
