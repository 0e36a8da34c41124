// Links that carry a game in their fragment: its rules, the moves that were made, and the position that is shown. Nothing of it is sent to a server.

/** What a link carries. */
export interface Shared {
    name: string;
    text: string;
    moves: string[];
    ply: number;
}

/** Bytes of what a link carries at most: a text of a page has 2 MiB, and each of its characters up to six as JSON; the rest is for moves. */
const MAX_SHARED = 16 << 20;

/** Characters of a link beyond which programs may cut it. */
export const MAX_LINK = 8000;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array[] = [];
    let length = 0;
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        length += value.length;
        if (length > most) {
            await reader.cancel();
            throw new Error("too large");
        }
        parts.push(value);
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
        whole.set(part, at);
        at += part.length;
    }
    return whole;
}

/** The link to a game; it opens in any studio. */
export async function linkTo(shared: Shared): Promise<string> {
    const bytes = new TextEncoder().encode(JSON.stringify(shared));
    const packed = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
    let letters = "";
    for (const byte of packed) letters += String.fromCharCode(byte);
    const code = btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    return `${location.origin}/#g=${code}`;
}

/** What is behind `g=` in a text with a link; nothing if it has none. */
export function codeIn(text: string): string | null {
    return /[#&]g=([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? null;
}

/** What a link carries. Fails if it is damaged. */
export async function sharedIn(code: string): Promise<Shared> {
    try {
        const letters = atob(code.replace(/-/g, "+").replace(/_/g, "/"));
        const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
        const bytes = await through(packed, new DecompressionStream("deflate-raw"), MAX_SHARED);
        const { name, text, moves, ply } = JSON.parse(new TextDecoder().decode(bytes));
        const isWhole = typeof name === "string" && typeof text === "string" && Array.isArray(moves) && moves.every((move) => typeof move === "string") && Number.isInteger(ply);
        if (isWhole) return { name, text, moves, ply };
    } catch {
        // What is wrong with it does not matter.
    }
    throw new Error("This link to a game is damaged: maybe a part of it is missing.");
}
