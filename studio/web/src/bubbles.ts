// Bubbles and lists over the editor: they are over when one leaves it, and stay inside of it.

import { closeCompletion, completionStatus, selectedCompletion } from "@codemirror/autocomplete";
import { Prec, type Extension } from "@codemirror/state";
import { EditorView, ViewPlugin, closeHoverTooltips, keymap, tooltips } from "@codemirror/view";

function close(view: EditorView): void {
    view.dispatch({ effects: closeHoverTooltips });
    closeCompletion(view);
}

/** Closes what is open when somebody clicks or goes elsewhere. */
const left = ViewPlugin.fromClass(
    class {
        constructor(readonly view: EditorView) {
            addEventListener("pointerdown", this.leave);
            addEventListener("focusin", this.leave);
        }
        readonly leave = (event: Event) => {
            if (!this.view.dom.contains(event.target as Node)) close(this.view);
        };
        destroy() {
            removeEventListener("pointerdown", this.leave);
            removeEventListener("focusin", this.leave);
        }
    },
);

/** Whether the entry that Enter would take is there already, letter by letter. */
function isThere(view: EditorView): boolean {
    const chosen = completionStatus(view.state) === "active" ? selectedCompletion(view.state) : null;
    // What inserts more than its name does something.
    if (!chosen || typeof chosen.apply === "function") return false;
    const text = chosen.apply ?? chosen.label;
    const { head } = view.state.selection.main;
    return view.state.sliceDoc(Math.max(0, head - text.length), head) === text;
}

/** Bubbles and lists that do not stay where nobody needs them. */
export function bubbles(): Extension {
    const enter = (view: EditorView) => {
        if (isThere(view)) closeCompletion(view);
        // The key goes on to what it does without a list.
        return false;
    };
    const escape = (view: EditorView) => {
        view.dispatch({ effects: closeHoverTooltips });
        return false;
    };
    return [
        left,
        Prec.highest(keymap.of([{ key: "Enter", run: enter }, { key: "Escape", run: escape }])),
        tooltips({ tooltipSpace: (view) => view.scrollDOM.getBoundingClientRect() }),
    ];
}
