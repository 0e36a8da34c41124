// What is open, in the address and in the store of the tab: a page that is loaded again has the same game, with what was not saved, and the moves.

import { secret } from "./rpc";
import type { Target } from "./types";

/** What is open, and what was left when something else was opened. */
const [KEY, LEFT] = ["rgc-studio-draft", "rgc-studio-left"];

/** What was open. */
export interface Draft {
    target: Target;
    name: string;
    text: string;
    /** What the file had, or what the game began as; nothing if that is not known, and is another text. */
    saved: string | null;
    /** The moves that were played, how many of them were shown, and with which rules, by their hash. */
    moves: string[];
    ply: number;
    rules: string;
    /** Who played whom. */
    seats: (string | null)[];
    /** Moves of a game in which something is hidden: they are not kept. */
    hidden: number;
}

/** Tells texts apart; two that differ have the same one by accident only. */
export function hashOf(text: string): string {
    let [one, other] = [0x811c9dc5, text.length];
    for (let at = 0; at < text.length; at += 1) {
        one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
        other = Math.imul(other ^ text.charCodeAt(at), 0x5bd1e995) ^ (other >>> 15);
    }
    return `${(one >>> 0).toString(36)}-${(other >>> 0).toString(36)}`;
}

function put(key: string, value: Draft | Draft[]): boolean {
    try {
        sessionStorage.setItem(key, JSON.stringify(value));
        return true;
    } catch {
        // There is no store, or no room in it. What is there is older, and must not come back instead.
        remove(key);
        return false;
    }
}

function remove(key: string): void {
    try {
        sessionStorage.removeItem(key);
    } catch {
        // Then there is nothing to forget.
    }
}

function got(key: string): unknown {
    try {
        return JSON.parse(sessionStorage.getItem(key) ?? "null");
    } catch {
        return null;
    }
}

function draftIn(value: unknown): Draft | null {
    const { target, name, text, saved, moves, ply, rules, seats, hidden } = (value ?? {}) as Partial<Draft>;
    if (typeof target !== "object" || !target || typeof name !== "string" || typeof text !== "string") return null;
    if (typeof saved !== "string" && saved !== null) return null;
    if (!Array.isArray(moves) || typeof ply !== "number" || !Number.isInteger(ply)) return null;
    const known = { rules: typeof rules === "string" ? rules : "", seats: Array.isArray(seats) ? seats : [], hidden: typeof hidden === "number" ? hidden : 0 };
    return { target, name, text, saved, moves, ply, ...known };
}

/** Keeps what is open; or tells that it is not kept. */
export function keep(draft: Draft): boolean {
    return put(KEY, draft);
}

/** Forgets what was open. */
export function forget(): void {
    remove(KEY);
}

/** What was open in this tab. */
export function kept(): Draft | null {
    return draftIn(got(KEY));
}

/** Keeps what was left in this tab; or tells that it is not kept. */
export function keepLeft(left: Draft[]): boolean {
    if (left.length > 0) return put(LEFT, left);
    remove(LEFT);
    return true;
}

/** What was left in this tab with changes that were not saved. */
export function keptLeft(): Draft[] {
    const left = got(LEFT);
    return Array.isArray(left) ? left.map(draftIn).filter((draft) => draft !== null) : [];
}

/** Whether a draft has changes that were not saved. */
export function isUnsaved({ text, saved }: Draft): boolean {
    return text !== saved;
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
