// How the words of the languages are told apart: from the same tables of the lexers as the grammars of other editors.

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

export interface State {
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

/** Reads the next word of a line. */
export interface Grammar {
    /** The sign before a comment that ends with its line. */
    comment: string | null;
    /** The end of the word that begins at a place of a line, and what it is. */
    next: (line: string, at: number, state: State) => { to: number; style: string | null };
}

export const start = (): State => ({ end: null, style: null });

function grammar(patterns: Pattern[]): Grammar {
    const rules = patterns.map(({ match, begin, end, name }) => ({
        start: expression(match ?? begin ?? "(?!)", "y"),
        end: end ? expression(end, "g") : null,
        style: style(name),
    }));
    const comment = patterns.find(({ match, name }) => match && name?.startsWith("comment.line"))?.match;
    const next = (line: string, at: number, state: State) => {
        if (state.end) {
            state.end.lastIndex = at;
            const found = state.end.exec(line);
            const style = state.style;
            if (!found) return { to: line.length, style };
            state.end = null;
            return { to: found.index + found[0].length, style };
        }
        for (const rule of rules) {
            rule.start.lastIndex = at;
            const found = rule.start.exec(line);
            if (!found?.[0]) continue;
            if (rule.end) Object.assign(state, { end: rule.end, style: rule.style });
            return { to: at + found[0].length, style: rule.style };
        }
        return { to: at + 1, style: null };
    };
    return { comment: comment ? (comment.startsWith(";") ? ";" : "//") : null, next };
}

const GRAMMARS: Record<string, { patterns: Pattern[] }> = { gdl, hrg, rbg, rg, sbg };
const made = new Map<string, Grammar>();

/** The grammar of a language; none for one that nobody writes by hand. */
export function grammarOf(name: string): Grammar | null {
    const source = GRAMMARS[name.split("-")[0] ?? name];
    if (!source) return null;
    const known = made.get(name) ?? grammar(source.patterns);
    made.set(name, known);
    return known;
}
