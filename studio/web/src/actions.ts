// Fixes and other changes that the language server offers at the cursor, in a menu (Ctrl+.).

import type { LSPClient } from "@codemirror/lsp-client";
import { EditorSelection, StateEffect, StateField, type ChangeSpec, type Extension } from "@codemirror/state";
import { EditorView, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import { offset, place, type Range } from "./places";

interface TextEdit {
    range: Range;
    newText: string;
}

interface Action {
    title: string;
    edit?: { changes?: Record<string, TextEdit[]>; documentChanges?: { textDocument: { uri: string }; edits: TextEdit[] }[] };
}

const shown = StateEffect.define<Tooltip | null>();

const menu = StateField.define<Tooltip | null>({
    create: () => null,
    update(value, transaction) {
        for (const effect of transaction.effects) if (effect.is(shown)) return effect.value;
        return transaction.docChanged || transaction.selection ? null : value;
    },
    provide: (field) => showTooltip.from(field),
});

function apply(view: EditorView, uri: string, action: Action): void {
    const edits = [
        ...(action.edit?.changes?.[uri] ?? []),
        ...(action.edit?.documentChanges ?? []).filter((change) => change.textDocument.uri === uri).flatMap((change) => change.edits),
    ];
    const doc = view.state.doc;
    const changes: ChangeSpec[] = edits.map(({ range, newText }) => ({ from: offset(doc, range.start), to: offset(doc, range.end), insert: newText }));
    view.dispatch({ changes, effects: shown.of(null), userEvent: "input.complete" });
    view.focus();
}

function list(view: EditorView, uri: string, actions: Action[]): HTMLElement {
    const box = document.createElement("div");
    box.className = "actions";
    box.setAttribute("role", "menu");
    const close = () => {
        view.dispatch({ effects: shown.of(null) });
        view.focus();
    };
    if (actions.length === 0) {
        box.textContent = "nothing to change here";
        setTimeout(() => view.dispatch({ effects: shown.of(null) }), 1200);
    }
    const buttons = actions.map((action) => {
        const button = document.createElement("button");
        button.setAttribute("role", "menuitem");
        button.textContent = action.title;
        button.onclick = () => apply(view, uri, action);
        return button;
    });
    box.append(...buttons);
    box.onkeydown = (event) => {
        const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
        const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        if (event.key === "Escape") close();
        else if (step) buttons[(at + step + buttons.length) % buttons.length]?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
    };
    setTimeout(() => buttons[0]?.focus());
    return box;
}

/** The menu of what can be changed at the cursor. */
export function codeActions(client: LSPClient, uri: string): Extension {
    const ask = (view: EditorView): boolean => {
        const { from, to } = view.state.selection.main;
        const doc = view.state.doc;
        client.sync();
        const within = async (from: number, to: number) => {
            const range = { start: place(doc, from), end: place(doc, to) };
            const found = await client.request<object, Action[] | null>("textDocument/codeAction", { textDocument: { uri }, range, context: { diagnostics: [] } });
            return (found ?? []).filter((action) => action.edit);
        };
        // Beside a finding, its line is what is meant.
        const near = async () => {
            const here = await within(from, to);
            const line = doc.lineAt(from);
            return here.length > 0 || from !== to ? here : within(line.from, line.to);
        };
        near()
            .then((actions) => {
                if (!doc.eq(view.state.doc)) return;
                const create = () => ({ dom: list(view, uri, actions) });
                view.dispatch({ effects: shown.of({ pos: from, create, above: false }), selection: EditorSelection.single(from, to) });
            })
            .catch(() => {});
        return true;
    };
    return [menu, keymap.of([{ key: "Mod-.", run: ask, preventDefault: true }])];
}
