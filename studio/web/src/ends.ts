// The ends of lines: all texts of the page have `\n`, as the editor does; a file keeps what it has.

export type LineEnd = "\n" | "\r\n";

/** A text as the editor has it: each line ends with `\n`. */
export function withNewlines(text: string): string {
    return text.replace(/\r\n?/g, "\n");
}

/** How most lines of a text end. */
export function lineEndOf(text: string): LineEnd {
    const ends = text.match(/\r\n?|\n/g) ?? [];
    const long = ends.filter((end) => end === "\r\n").length;
    return long * 2 > ends.length ? "\r\n" : "\n";
}

/** A text of the editor as a file has it whose lines end like this. */
export function withLineEnd(text: string, end: LineEnd): string {
    return end === "\n" ? text : text.replaceAll("\n", end);
}
