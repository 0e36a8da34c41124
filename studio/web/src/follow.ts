// What the language server is asked again whenever the text has changed.

import type { LSPClient } from "@codemirror/lsp-client";
import type { Extension, Text } from "@codemirror/state";
import { ViewPlugin, type EditorView, type ViewUpdate } from "@codemirror/view";

/** Milliseconds without typing after which it is asked. */
const PAUSE = 120;

/** Answers that may fail to come one after the other. */
const FAILURES = 5;

/**
 * Asks once the text has been opened and whenever it has changed. `take` has the answer about the text that is shown, or nothing if none came; then it is asked
 * again. `later` are milliseconds after which it is asked once more, where some of the answer takes its time.
 */
export function follow<T>(client: LSPClient, ask: () => Promise<T | null>, take: (view: EditorView, answer: T, doc: Text) => void, later = 0): Extension {
    return ViewPlugin.fromClass(
        class {
            timer = 0;
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
            ask(after: number, isLast = false) {
                clearTimeout(this.timer);
                this.timer = window.setTimeout(() => void this.run(isLast), after);
            }
            async run(isLast: boolean) {
                try {
                    await client.initializing;
                    client.sync();
                    const doc = this.view.state.doc;
                    const answer = await ask();
                    this.failures = answer ? 0 : this.failures + 1;
                    if (!answer && this.failures < FAILURES) return this.ask(2 * PAUSE);
                    if (!answer || !doc.eq(this.view.state.doc)) return;
                    take(this.view, answer, doc);
                    if (later && !isLast) this.ask(later, true);
                } catch {
                    // Without an answer, all stays as it is. The text may not have been opened yet.
                    if (++this.failures < FAILURES) this.ask(2 * PAUSE);
                }
            }
        },
    );
}
