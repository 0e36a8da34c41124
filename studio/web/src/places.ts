// Places of the language server: lines and characters, from 0.

import type { Text } from "@codemirror/state";

export interface Place {
    line: number;
    character: number;
}

export interface Range {
    start: Place;
    end: Place;
}

export function offset(doc: Text, { line, character }: Place): number {
    if (line >= doc.lines) return doc.length;
    const { from, to } = doc.line(line + 1);
    return Math.min(from + character, to);
}

export function place(doc: Text, at: number): Place {
    const line = doc.lineAt(at);
    return { line: line.number - 1, character: at - line.from };
}
