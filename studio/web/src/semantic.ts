// What the language server knows of words, as colours: semantic tokens.

import type { LSPClient } from "@codemirror/lsp-client";
import { RangeSetBuilder, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";

const PAUSE = 250;

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

function marks(view: EditorView, data: number[], types: string[]): DecorationSet {
    const builder = new RangeSetBuilder<Decoration>();
    let line = 0;
    let character = 0;
    for (let at = 0; at + 4 < data.length; at += 5) {
        const [down = 0, right = 0, length = 0, type = 0] = data.slice(at, at + 4);
        character = down ? right : character + right;
        line += down;
        const name = types[type];
        if (line >= view.state.doc.lines || !name) continue;
        const from = view.state.doc.line(line + 1).from + character;
        const to = Math.min(from + length, view.state.doc.length);
        if (from < to) builder.add(from, to, Decoration.mark({ class: `sem-${name}` }));
    }
    return builder.finish();
}

/** Colours the words of a text that the client has open. */
export function semanticTokens(client: LSPClient, uri: string): Extension {
    const plugin = ViewPlugin.fromClass(
        class {
            timer = 0;
            /** How often an answer did not come. */
            failures = 0;
            constructor(readonly view: EditorView) {
                this.ask(0);
            }
            update(update: ViewUpdate) {
                if (update.docChanged) this.ask(PAUSE);
            }
            destroy() {
                clearTimeout(this.timer);
            }
            ask(after: number) {
                clearTimeout(this.timer);
                this.timer = window.setTimeout(() => void this.run(), after);
            }
            async run() {
                try {
                    await client.initializing;
                    const types: string[] = client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
                    client.sync();
                    const doc = this.view.state.doc;
                    const result = await client.request<object, { data: number[] } | null>("textDocument/semanticTokens/full", { textDocument: { uri } });
                    this.failures = result ? 0 : this.failures + 1;
                    if (!result && this.failures < 5) return this.ask(2 * PAUSE);
                    if (result && doc.eq(this.view.state.doc)) this.view.dispatch({ effects: found.of(marks(this.view, result.data, types)) });
                } catch {
                    // Without an answer, the colours stay as they are. The text may not have been opened yet.
                    if (++this.failures < 5) this.ask(2 * PAUSE);
                }
            }
        },
    );
    return [tokens, plugin];
}
