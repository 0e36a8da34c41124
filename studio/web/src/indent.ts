// Indentation of new lines: one step more behind an opening bracket, one less before a closing one.

import { indentService, indentUnit } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";

const OPENING = /[{([]\s*$/;
const CLOSING = /^\s*[}\])]/;

/** Languages whose games are written with two blanks for a step; the others have four. */
const NARROW = ["hrg", "gdl"];

/** How lines of a language are indented; `comment` is what comments begin with. */
export function indentation(language: string, comment: string | undefined): Extension {
    const unit = NARROW.includes(language) ? 2 : 4;
    const code = (text: string) => (comment ? (text.split(comment)[0] ?? "") : text);
    return [
        indentUnit.of(" ".repeat(unit)),
        EditorState.languageData.of(() => [{ indentOnInput: CLOSING }]),
        indentService.of((context, at) => {
            const line = context.lineAt(at);
            let before = line.from > 0 ? context.lineAt(line.from - 1, -1) : null;
            while (before && !before.text.trim() && before.from > 0) before = context.lineAt(before.from - 1, -1);
            if (!before) return 0;
            const step = (OPENING.test(code(before.text)) ? unit : 0) - (CLOSING.test(line.text) ? unit : 0);
            return Math.max(0, context.lineIndent(before.from, -1) + step);
        }),
    ];
}
