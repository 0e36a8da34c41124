// What a page without a server is made of.

import type { Changes, Runs, Table } from "../types";

export interface Contents {
    program: string;
    name: string;
    title: string;
    what: string;
    language: string;
    text: string;
    players: string[];
    replay: Replay | null;
    note: string | null;
    automaton: Drawings;
    passes: Runs & { level: number; differences: Record<string, string> };
}

export interface Replay {
    seats: string[];
    moves: { player: number | null; text: string; places: string[]; changed: Changes }[];
    positions: Shot[];
    /** Parts of drawings, each of which may occur often. */
    parts: string[];
    over: string | null;
    /** That nobody can move in the last position, though the game is not over. */
    stuck: string | null;
    /** The position that is seen first. */
    ply: number;
}

export interface Shot {
    boards: { title: string; parts: number[]; block: [number, number] | null }[];
    tables: Table[];
    facts: { group: string; name: string; value: string }[];
    turn: number | null;
    scores: string[];
}

export interface Drawings {
    nodes: number;
    edges: number;
    heads: string;
    drawings: { open: string | null; around: string | null; svg: string }[];
    /** A node, and where what happens there is written. */
    places: [string, number, number][];
    missing: number;
}

/** A part of the text. */
export interface Range {
    from: number;
    to: number;
}
