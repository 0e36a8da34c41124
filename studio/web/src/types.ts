// What the server sends. The page knows no rules: it shows this, and says what was clicked.

export interface Failure {
    code: string;
    message: string;
    help?: string;
    details?: string;
    /** Of a file that was not replaced: what it has. */
    digest?: string;
}

export type Target = { path: string } | { name: string } | { new: { language: string; name: string } } | { shared: { name: string; text: string } };

export interface Hello {
    version: string;
    folder: string;
    readOnly: boolean;
    initial: Target | null;
    languages: { name: string; title: string; extension: string }[];
    /** Languages that a new game can be in, by name. */
    beginnings: string[];
    agents: { name: string; what: string }[];
    engines: string[];
}

export interface Library {
    bundled: { name: string; title: string; what: string; languages: string[]; lines: number }[];
    files: { path: string; language: string }[];
}

export interface Opened {
    game: number;
    name: string;
    path: string | null;
    language: string;
    text: string;
}

export interface Checked {
    version: number;
    errors: number;
    warnings: number;
    wrong: Failure | null;
    players: string[] | null;
}

export interface Move {
    index: number;
    text: string;
    clicks: string[];
    /** The boards on which these places are meant, by number; none where any board is. */
    boards: number[];
}

/** What a typed text means: the legal move that it is, and those that may be meant, by index. */
export interface Typed {
    only: number | null;
    moves: number[];
}

export interface Table {
    title: string;
    columns: string[];
    rows: [string, string[]][];
}

export interface Board {
    title: string;
    svg: string;
    block: [number, number] | null;
    outer: string | null;
    /** The pieces on it, by the label of their place. */
    pieces: [string, string][];
    /** What letters on it stand for. */
    legend: Record<string, string>;
}

export interface Position {
    play: number;
    version: number;
    ply: number;
    plies: number;
    players: string[];
    seats: (string | null)[];
    turn: number | null;
    /** `outer` is the place of a board among others that lie in a block, as moves name it. */
    boards: Board[];
    tables: Table[];
    facts: { group: string; name: string; value: string }[];
    moves: Move[];
    aliases: Record<string, string>;
    marks: string[];
    /** What the last move has changed. */
    changed: Changes;
    record: { player: number | null; text: string }[];
    scores: string[];
    range: [number, number];
    over: string | null;
    /** Whether something is hidden from whoever looks. */
    hides: boolean;
    observed: string[] | null;
    viewer: number | null;
    covered: boolean;
    next: number | null;
    thinking: boolean;
    analysing: boolean;
    paused: boolean;
    trouble: Failure | null;
}

/** Why a move is not legal. */
export interface Answer {
    text: string;
    /** Where the conditions are written that fail. */
    places: Reason[];
    /** What comes behind it. */
    more?: Answer;
}

/** A place of the rules that is a reason: its line, the text there, its place, and what was found there. */
export interface Reason {
    line: number;
    text: string;
    from: number;
    to: number;
    found: string | null;
}

/** What the last move crosses, and the keeper behind it, by nodes. */
export interface Walk {
    made: [string, string][];
    answers: [string, string][];
}

/** Why a game has ended. */
export interface Ended {
    /** That somebody has no move, if it has ended by that. */
    unable: Answer | null;
    /** The last lines of the rules before the end. */
    lines: Reason[];
}

/** What a move changes: cells of tables by their names, with what they hold then, and places of boards by the number of the board. */
export interface Changes {
    cells: { table: string; row: string; column: string; value: string }[];
    places: [number, string][];
}

export interface Insight {
    play: number;
    ply: number;
    player: number;
    purpose: "move" | "analysis";
    playouts: number;
    nodes: number;
    depth: number;
    moves: { i: number; visits: number; value: number }[];
    line: string[];
    /** The search has come to an end by itself. */
    ended?: boolean;
}

export interface Drawn {
    version: number;
    svg: string;
    heads: string;
    nodes: number;
    edges: number;
    regions: { name: string; nodes: number; depth: number; open: boolean }[];
    places: [string, number, number][];
    boxes: [string, string][];
    analyses: [string, string][];
    /** Nodes with the labels of their edges. */
    labels: [string, string][];
    /** Where edges are written: the boxes at their ends, their label, and the place. */
    arrows: [string, string, string, number, number][];
}

export interface Sizes {
    nodes: number;
    edges: number;
    cells: number;
    bits: number;
}

export interface Runs {
    version: number;
    before: Sizes;
    after: Sizes;
    milliseconds: number;
    runs: { number: number; round: number; pass: string; changed: boolean; after: Sizes; delta: string | null; notes: string[]; milliseconds: number }[];
    passes: { name: string; summary: string }[];
}

/** The first run after which it is another game. */
export interface Guilty {
    pass: string;
    number: number | null;
    change: [number, number];
    difference: string;
    /** The game before and after it. */
    texts: [string, string];
    comparisons: number;
}

/** What came of playing the game before and after the passes: what was compared, or where it is another game. */
export interface Verified {
    compared?: string;
    guilty?: Guilty;
}

export interface Looked {
    number: number;
    before: string;
    after: string;
    svg: string | null;
    heads: string;
    large: string | null;
}

export interface Sample {
    engine: string;
    playouts: number;
    states: number;
    moves: number;
    seconds: number;
    prepared: number;
    bytes: number;
    /** Bytes that the program took more than before; nothing where the system does not tell. */
    memory: number | null;
    over: boolean;
    failure?: Failure;
}

export interface Report {
    kind: string;
    sections: { title: string; lines: [string, string][]; plots: { caption: string; svg: string }[] }[];
    findings: Failure[];
    wrong: boolean;
    /** The moves after which the game is seen not to be proper, for each condition that is broken. */
    plays: string[][];
}

export interface PerftRow {
    depth: number;
    leaves: string;
    seconds: number;
    known: string | null;
    shares: [string, string][];
}

export interface Result {
    number: number;
    seats: number[];
    scores: string[];
    plies: number;
    over: boolean;
    broken: Failure | null;
    moves: string[];
    rows: { agent: string; games: number; won: number; drawn: number; lost: number; score: number; low: number; high: number; elo: [number | null, number | null, number | null]; pace: number }[];
}
