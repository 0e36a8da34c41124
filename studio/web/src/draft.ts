// What is open, in the address and in the store of the tab: a page that is loaded again has the same game, with what was not saved, and the moves.

import { secret } from "./rpc";
import type { Target } from "./types";

const KEY = "rgc-studio-draft";

/** What was open. */
export interface Draft {
    target: Target;
    name: string;
    text: string;
    /** What the file had, or what the game began as. */
    saved: string;
    /** The moves that were played with this text, and how many of them were shown. */
    moves: string[];
    ply: number;
}

/** Keeps what is open. Without a store, a page that is loaded again begins anew. */
export function keep(draft: Draft): void {
    try {
        sessionStorage.setItem(KEY, JSON.stringify(draft));
    } catch {
        // It may be too large for the store, too.
    }
}

/** Forgets what was open. */
export function forget(): void {
    try {
        sessionStorage.removeItem(KEY);
    } catch {
        // Then there is nothing to forget.
    }
}

/** What was open in this tab. */
export function kept(): Draft | null {
    try {
        const { target, name, text, saved, moves, ply } = JSON.parse(sessionStorage.getItem(KEY) ?? "null") ?? {};
        const isWhole = typeof target === "object" && target && typeof name === "string" && typeof text === "string" && typeof saved === "string";
        return isWhole && Array.isArray(moves) && Number.isInteger(ply) ? { target, name, text, saved, moves, ply } : null;
    } catch {
        return null;
    }
}

/** The part of the address behind `#`: the secret, and what is open. A game that is no file and not bundled is in the tab alone. */
export function addressOf(target: Target | null): string {
    const address = new URLSearchParams({ t: secret });
    if (target && "path" in target) address.set("file", target.path);
    else if (target && "name" in target) address.set("game", target.name);
    else if (target) address.set("draft", "1");
    return `#${address}`;
}

/** What an address names: a file or a bundled game, or what was left in the tab; nothing if it names none. */
export function targetIn(hash: string): Target | "draft" | null {
    const address = new URLSearchParams(hash.replace(/^#/, ""));
    const [path, name] = [address.get("file"), address.get("game")];
    if (path) return { path };
    if (name) return { name };
    return address.has("draft") ? "draft" : null;
}

/** Whether an address names what was left in the tab. */
export function isLeft(named: Target | "draft", { target }: Draft): boolean {
    return named === "draft" ? !("path" in target) && !("name" in target) : JSON.stringify(named) === JSON.stringify(target);
}
