// Colours of words before the language server says more.

import { StreamLanguage } from "@codemirror/language";
import { grammarOf, start, type State } from "./grammar";

const made = new Map<string, StreamLanguage<State>>();

/** The colours of a language; none for one that nobody writes by hand. */
export function languageOf(name: string): StreamLanguage<State> | null {
    const grammar = grammarOf(name);
    if (!grammar) return null;
    const language = () =>
        StreamLanguage.define<State>({
            name,
            startState: start,
            copyState: (state) => ({ ...state }),
            token(stream, state) {
                if (!state.end && stream.eatSpace()) return null;
                const { to, style } = grammar.next(stream.string, stream.pos, state);
                stream.pos = to;
                return style;
            },
            languageData: grammar.comment ? { commentTokens: { line: grammar.comment } } : {},
        });
    const known = made.get(name) ?? language();
    made.set(name, known);
    return known;
}
