// Nodes of an automaton by what is written: their names, the labels of their edges, and the rules that they were made of.

import type { Drawn } from "./types";

/** Occurrences in the rules that are looked at, at most. */
const MOST = 200;

/** The nodes that a text finds, each once: those of this name first, then others that have it in their names, in labels, and in the rules. */
export function nodesWith(drawn: Drawn, rules: string, text: string): string[] {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return [];
    const names = drawn.boxes.map(([node]) => node);
    const has = (other: string) => other.toLowerCase().includes(wanted);
    const labelled = drawn.labels.filter(([, label]) => has(label)).map(([node]) => node);
    return [...new Set([...names.filter((name) => name.toLowerCase() === wanted), ...names.filter(has), ...labelled, ...written(drawn, rules.toLowerCase(), wanted)])];
}

/** The nodes that were made of the places where a text is written; of a definition that has none of its own, the first one inside it. */
function written(drawn: Drawn, rules: string, wanted: string): string[] {
    const found: string[] = [];
    let at = rules.indexOf(wanted);
    for (let count = 0; at >= 0 && count < MOST; count++) {
        found.push(...nodesAt(drawn, at, at + wanted.length));
        at = rules.indexOf(wanted, at + wanted.length);
    }
    return found;
}

/** The nodes that were made of a part of the rules: those of the shortest places around it, or else those of the next one behind it. */
function nodesAt(drawn: Drawn, from: number, to: number): string[] {
    const around = drawn.places.filter(([, begin, end]) => begin < to && from < end);
    const least = around.reduce((least, [, begin, end]) => Math.min(least, end - begin), Infinity);
    if (around.length > 0) return around.filter(([, begin, end]) => end - begin === least).map(([node]) => node);
    const next = drawn.places.reduce((next, [, begin]) => (begin >= to ? Math.min(next, begin) : next), Infinity);
    return drawn.places.filter(([, begin]) => begin === next).map(([node]) => node);
}

/** The nodes that were made of the place where the cursor of the editor is: those of the shortest place around it. */
export function nodesHere(drawn: Drawn, cursor: number): string[] {
    const around = drawn.places.filter(([, from, to]) => from <= cursor && cursor <= to);
    const least = around.reduce((least, [, from, to]) => Math.min(least, to - from), Infinity);
    return [...new Set(around.filter(([, from, to]) => to - from === least).map(([node]) => node))];
}
