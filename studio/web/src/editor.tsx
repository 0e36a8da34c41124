// The text of the rules.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, undo } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, nextDiagnostic, setDiagnosticsEffect } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { codeActions } from "./actions";
import { bubbles } from "./bubbles";
import { closing } from "./closing";
import { FindingList, findingsOf } from "./findings";
import { grammarOf } from "./grammar";
import { indentation } from "./indent";
import { languageOf } from "./language";
import { languageClient } from "./lsp";
import { Outline, outline, type Part } from "./outline";
import { Notice, Trouble } from "./parts";
import { remarks } from "./remarks";
import { semanticTokens } from "./semantic";
import { store, useStore } from "./store";

/** The nonce with which the editor may add its style sheets. */
export const nonce = document.querySelector<HTMLMetaElement>("meta[name=style-nonce]")?.content ?? "";

const server = new Compartment();

function basics(language: string): Extension[] {
    const colours = languageOf(language);
    return [
        EditorView.cspNonce.of(nonce),
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closing(grammarOf(language)?.comment ?? undefined),
        closeBrackets(),
        // Before the lists, whose keys it looks at first.
        bubbles(),
        autocompletion(),
        indentation(language, grammarOf(language)?.comment ?? undefined),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        search({ top: true }),
        syntaxHighlighting(classHighlighter),
        // Beside the panels there is no room for long comments; a jump to the end of one would leave nothing but it to be seen.
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "The rules of the game" }),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, { key: "F8", run: nextDiagnostic }, indentWithTab]),
        ...(colours ? [colours] : []),
    ];
}

/** Goes to the next error, or where there is none, to the next finding. */
function toFinding(view: EditorView): void {
    const errors = findingsOf(view.state).flatMap(({ severity, from }) => (severity === "error" ? [from] : []));
    const { head } = view.state.selection.main;
    const next = errors.find((from) => from > head) ?? errors[0];
    if (next === undefined) return void nextDiagnostic(view);
    view.dispatch({ selection: { anchor: next }, effects: EditorView.scrollIntoView(next, { y: "center" }) });
}

/** What changes between two texts: the beginning and the end that they share stay, and with them the cursor there. */
function changeTo(before: string, after: string): { from: number; to: number; insert: string } {
    const shorter = Math.min(before.length, after.length);
    let [start, end] = [0, 0];
    while (start < shorter && before[start] === after[start]) start += 1;
    while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
    return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

export function Editor() {
    const { open, goto, changed, message, good, restored, isReplaced } = useStore();
    const box = useRef<HTMLDivElement>(null);
    const view = useRef<EditorView | null>(null);
    const [parts, setParts] = useState<Part[]>([]);
    // A layout effect: others are cleaned up late, when the next editor may be there already.
    useLayoutEffect(() => {
        if (!open || !box.current) return;
        const watch = EditorView.updateListener.of((update) => {
            if (update.docChanged) {
                // What would be undone now is this change. Where it is a file that was read once more, the store says so afterwards.
                store.isReplaced = false;
                store.edit(update.state.doc.toString());
            }
            const isFound = update.transactions.some(({ effects }) => effects.some((effect) => effect.is(setDiagnosticsEffect)));
            if (isFound) store.set({ findings: findingsOf(update.state) });
            if (update.selectionSet) {
                store.cursor = update.state.selection.main.head;
                store.cursorMoved();
            }
        });
        const made = new EditorView({
            parent: box.current,
            state: EditorState.create({ doc: open.opened, extensions: [basics(open.language), server.of([]), watch] }),
        });
        view.current = made;
        store.cursor = 0;
        store.cursorMoved();
        const show = () => {
            made.focus();
            toFinding(made);
        };
        const focus = () => made.focus();
        addEventListener("finding", show);
        addEventListener("write", focus);
        // A file was read once more: its text comes as a change, so that what was here before can be brought back.
        const replace = (event: Event) => {
            const changes = changeTo(made.state.doc.toString(), (event as CustomEvent<string>).detail);
            made.dispatch({ changes, annotations: isolateHistory.of("full"), userEvent: "input.reload" });
        };
        addEventListener("replace", replace);
        const uri = `file:///${encodeURIComponent(open.name)}`;
        languageClient()
            .then((client) => {
                if (view.current !== made) return;
                const extensions = [client.plugin(uri, open.language), semanticTokens(client, uri), codeActions(client, uri), remarks(client, uri), outline(client, uri, setParts)];
                made.dispatch({ effects: server.reconfigure(extensions) });
            })
            .catch((error) => store.fail(error));
        return () => {
            view.current = null;
            removeEventListener("finding", show);
            removeEventListener("write", focus);
            removeEventListener("replace", replace);
            made.destroy();
        };
    }, []);
    useEffect(() => {
        const length = view.current?.state.doc.length ?? 0;
        if (!goto || !view.current || goto.from > length) return;
        const selection = { anchor: goto.from, head: Math.min(goto.to, length) };
        view.current.dispatch({ selection, effects: EditorView.scrollIntoView(goto.from, { y: "center" }) });
        if (goto.isFocused) view.current.focus();
        store.set({ goto: null });
    }, [goto]);
    const bringBack = () => {
        if (view.current) undo(view.current);
        view.current?.focus();
        store.set({ isReplaced: false });
    };
    return (
        <div class="editor">
            {message && <Trouble failure={message} dismiss={() => store.set({ message: null })} />}
            {changed && (
                <Notice kind={changed.isAsked ? "bad" : "info"}>
                    <div class="row">
                        <span class="grow">{changed.isAsked && <b>Not saved. </b>}The file was {changed.gone ? "removed" : "changed"} by another program or page.</span>
                        {!changed.gone && <button title="The text here is one step back then: Ctrl+Z" onClick={() => void store.openAgain()}>Open it again</button>}
                        <button title="Saving then replaces what is in the file" onClick={() => store.keepText()}>Keep this text</button>
                    </div>
                </Notice>
            )}
            {isReplaced && (
                <Notice kind="info">
                    <div class="row">
                        <span class="grow">The file was changed by another program or page, and is here as it is now.</span>
                        <button title="Ctrl+Z in the rules" onClick={bringBack}>Bring back the text before</button>
                        <button class="icon" aria-label="Dismiss" onClick={() => store.set({ isReplaced: false })}>✕</button>
                    </div>
                </Notice>
            )}
            {restored && (
                <Notice kind="info">
                    <div class="row">
                        <span class="grow">Changes that were not saved are back.</span>
                        <button onClick={() => void store.openTarget(restored)}>Discard them</button>
                        <button class="icon" aria-label="Dismiss" onClick={() => store.set({ restored: null })}>✕</button>
                    </div>
                </Notice>
            )}
            <div class="lists">
                <Outline parts={parts} />
                <FindingList />
            </div>
            <div class="code" ref={box} data-good={good?.version} />
        </div>
    );
}
