// Colours of words before the language server says more: from the same tables of the lexers as the grammars of other editors.

import { StreamLanguage, type StreamParser } from "@codemirror/language";
import gdl from "../../../editors/vscode/syntaxes/gdl.tmLanguage.json";
import hrg from "../../../editors/vscode/syntaxes/hrg.tmLanguage.json";
import rbg from "../../../editors/vscode/syntaxes/rbg.tmLanguage.json";
import rg from "../../../editors/vscode/syntaxes/rg.tmLanguage.json";
import sbg from "../../../editors/vscode/syntaxes/sbg.tmLanguage.json";

interface Pattern {
    match?: string;
    begin?: string;
    end?: string;
    name?: string;
}

interface State {
    /** The end of the block that goes on here, and what it is. */
    end: RegExp | null;
    style: string | null;
}

const STYLES: [string, string][] = [
    ["keyword.control", "keyword"],
    ["keyword.operator", "operator"],
    ["comment", "comment"],
    ["constant.numeric", "number"],
    ["string", "string"],
    ["support.function", "typeName"],
    ["variable.parameter", "variableName.special"],
    ["variable.other", "atom"],
];

function style(name: string | undefined): string | null {
    return STYLES.find(([scope]) => name?.startsWith(scope))?.[1] ?? null;
}

/** A regular expression of a grammar. Signs that need no backslash must have none where classes of Unicode are known. */
function expression(source: string, flag: string): RegExp {
    const plain = source.replace(/\\([-#!:;,=<>~@&%"'` ])/g, "$1");
    for (const [text, flags] of [[source, `${flag}u`], [plain, `${flag}u`], [source, flag]] as const) {
        try {
            return new RegExp(text, flags);
        } catch {
            // The next form may do.
        }
    }
    return new RegExp("(?!)", flag);
}

function parser(patterns: Pattern[]): StreamParser<State> {
    const rules = patterns.map(({ match, begin, end, name }) => ({
        start: expression(match ?? begin ?? "(?!)", "y"),
        end: end ? expression(end, "g") : null,
        style: style(name),
    }));
    const comment = patterns.find(({ match, name }) => match && name?.startsWith("comment.line"))?.match;
    return {
        startState: () => ({ end: null, style: null }),
        copyState: (state) => ({ ...state }),
        token(stream, state) {
            if (state.end) {
                state.end.lastIndex = stream.pos;
                const found = state.end.exec(stream.string);
                const style = state.style;
                if (found) {
                    stream.pos = found.index + found[0].length;
                    state.end = null;
                } else stream.skipToEnd();
                return style;
            }
            if (stream.eatSpace()) return null;
            for (const rule of rules) {
                rule.start.lastIndex = stream.pos;
                const found = rule.start.exec(stream.string);
                if (!found?.[0]) continue;
                stream.pos += found[0].length;
                if (rule.end) Object.assign(state, { end: rule.end, style: rule.style });
                return rule.style;
            }
            stream.next();
            return null;
        },
        languageData: comment ? { commentTokens: { line: comment.startsWith(";") ? ";" : "//" } } : {},
    };
}

const GRAMMARS: Record<string, { patterns: Pattern[] }> = { gdl, hrg, rbg, rg, sbg };
const made = new Map<string, StreamLanguage<State>>();

/** The colours of a language; none for one that nobody writes by hand. */
export function languageOf(name: string): StreamLanguage<State> | null {
    const grammar = GRAMMARS[name.split("-")[0] ?? name];
    if (!grammar) return null;
    const known = made.get(name) ?? StreamLanguage.define({ name, ...parser(grammar.patterns) });
    made.set(name, known);
    return known;
}
