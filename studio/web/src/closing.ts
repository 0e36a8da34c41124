// A closing bracket that is typed where the one of its block stands already, some lines below, leads behind that one.

import { EditorSelection, type EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const OPENING: Record<string, string> = { "}": "{", ")": "(", "]": "[" };

/** Brackets of a text that are open and never closed, without those in comments. */
function surplus(text: string, opening: string, closing: string, comment: string | undefined): number {
    let open = 0;
    for (const line of text.split("\n")) {
        const end = comment === undefined ? -1 : line.indexOf(comment);
        for (const letter of end < 0 ? line : line.slice(0, end)) {
            if (letter === opening) open += 1;
            else if (letter === closing) open -= 1;
        }
    }
    return open;
}

/** Where the bracket ends that is meant: the next thing behind a line with nothing on it. Nothing where another bracket is needed. */
export function closedBehind(state: EditorState, closing: string, comment: string | undefined): number | null {
    const { main, ranges } = state.selection;
    const opening = OPENING[closing];
    if (!opening || ranges.length > 1 || !main.empty) return null;
    const line = state.doc.lineAt(main.head);
    if (line.text.trim() !== "") return null;
    const rest = state.doc.sliceString(line.to);
    const gap = rest.length - rest.trimStart().length;
    if (rest[gap] !== closing) return null;
    return surplus(state.doc.toString(), opening, closing, comment) > 0 ? null : line.to + gap + 1;
}

/** Typing such a bracket takes the empty line away and goes behind the one that is there. */
export function closing(comment: string | undefined) {
    return EditorView.inputHandler.of((view, _from, _to, text) => {
        const end = closedBehind(view.state, text, comment);
        if (end === null) return false;
        const { doc, selection } = view.state;
        const line = doc.lineAt(selection.main.head);
        // The bracket stays where it stands; lines with nothing on them before it go.
        const from = Math.max(0, line.from - 1);
        const to = doc.lineAt(end - 1).from - 1;
        view.dispatch({
            changes: { from, to },
            selection: EditorSelection.cursor(end - (to - from)),
            scrollIntoView: true,
            userEvent: "input.type",
        });
        return true;
    });
}
