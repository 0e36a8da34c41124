// What the page knows: what is open, what the server says of its text, and which panel is shown.

import { useLayoutEffect, useState } from "preact/hooks";
import { addressOf, forget, isLeft, keep, kept, targetIn, type Draft } from "./draft";
import { codeIn, sharedIn } from "./link";
import { Connection, failureOf, onNotification, secret } from "./rpc";
import type { Checked, Failure, Hello, Library, Opened, Target } from "./types";

/** Time without typing after which a text is read. */
const PAUSE = 200;

export type Panel = "play" | "graph" | "passes" | "measure" | "match" | "audit";

/** Findings that the editor shows. */
export interface Findings {
    errors: number;
    warnings: number;
    others: number;
}

export interface OpenGame {
    game: number;
    /** As what it is opened again. */
    target: Target;
    name: string;
    path: string | null;
    language: string;
    /** The text as it was opened; the editor has the present one. */
    opened: string;
    /** What the file has. */
    saved: string;
}

export interface Place {
    from: number;
    to: number;
    /** Whether the editor gets the keys. */
    isFocused?: boolean;
}

export class Store {
    connection!: Connection;
    hello: Hello | null = null;
    library: Library | null = null;
    open: OpenGame | null = null;
    text = "";
    version = 0;
    checked: Checked | null = null;
    /** The last version without errors, which all panels show. */
    good: { version: number; players: string[]; text: string } | null = null;
    panel: Panel = "play";
    /** The play in the panel, and the position that it shows. */
    playing: { play: number; ply: number; seats: (string | null)[]; rules: string; isHidden: boolean } | null = null;
    /** What is to be played first: the moves that came with a link. */
    replay: { moves: string[]; ply: number } | null = null;
    message: Failure | null = null;
    /** What the editor shows of the text that is there. */
    findings: Findings = { errors: 0, warnings: 0, others: 0 };
    /** The text has changes that were not saved when the page was left; this opens it without them. */
    restored: Target | null = null;
    /** What was left in this tab with changes that were not saved, when another game was opened. */
    left: Draft | null = null;
    /** The moves of the play, as far as they are kept for when the page is loaded again. */
    private played: { moves: string[]; ply: number } = { moves: [], ply: 0 };
    lost: string | null = null;
    /** The file was changed by another program. */
    changed: { gone: boolean } | null = null;
    /** What another program has written is to be replaced when the text is saved. */
    replaces = false;
    /** Where the editor is to go. */
    goto: Place | null = null;
    /** Where the cursor of the editor is. */
    cursor = 0;
    private timer = 0;
    private readonly listeners = new Set<() => void>();

    subscribe(listener: () => void): () => void {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    set(change: Partial<Store>): void {
        Object.assign(this, change);
        for (const listener of [...this.listeners]) listener();
    }

    /** The cursor of the editor has moved; only panels that follow it are told. */
    cursorMoved(): void {
        dispatchEvent(new CustomEvent("cursor", { detail: this.cursor }));
    }

    get isChanged(): boolean {
        return this.open !== null && this.text !== this.open.saved;
    }

    fail(error: unknown): void {
        this.set({ message: failureOf(error) });
    }

    async start(): Promise<void> {
        const lost = (reason: string) => {
            const isStranger = reason.includes("secret");
            const why = isStranger ? "The address has no secret, or an old one. Open the whole address that `rgc studio` has printed." : reason;
            this.set({ lost: why || "The connection to the server was lost. Start `rgc studio` again, and open the address that it prints." });
        };
        // A studio that was started again has another secret; its address may be pasted over that of the old one.
        addEventListener("hashchange", () => {
            const other = new URLSearchParams(location.hash.slice(1)).get("t");
            if (other && other !== secret) location.reload();
        });
        if (!secret) {
            const shares = codeIn(location.hash) && "This link carries a game, but not the secret of a studio. Open it with `rgc studio 'LINK'`, or paste it where games are searched in a studio.";
            return shares ? this.set({ lost: shares }) : lost("the secret is missing");
        }
        try {
            this.connection = await Connection.open(lost);
            onNotification<{ game: number; gone: boolean }>("changed", ({ game, gone }) => {
                if (this.open?.game === game) this.set({ changed: { gone } });
            });
            this.set({ hello: await this.connection.request<Hello>("hello") });
            const opening = this.openFirst();
            addEventListener("hashchange", () => this.openPasted());
            const library = this.refresh();
            await Promise.all([opening, library]);
        } catch (error) {
            if (!this.lost) lost(failureOf(error).message);
        }
    }

    /** Opens what the address names: a link, or what was open before the page was loaded again; else what the studio was started with. */
    private async openFirst(): Promise<void> {
        const code = codeIn(location.hash);
        if (code) return this.openLink(code);
        const [named, left] = [targetIn(location.hash), kept()];
        if (left && named && isLeft(named, left)) return this.openDraft(left);
        if (left && left.text !== left.saved) this.set({ left });
        const initial = named && named !== "draft" ? named : this.hello?.initial;
        if (initial) await this.openTarget(initial);
    }

    /** Opens what was left in this tab, with what was not saved and the moves that were played. */
    async openDraft(draft: Draft): Promise<void> {
        this.set({ left: null });
        const { moves, ply } = draft;
        await this.openTarget(draft.target, moves.length > 0 ? { moves, ply } : null, draft);
    }

    async refresh(): Promise<void> {
        try {
            this.set({ library: await this.connection.request<Library>("library") });
        } catch (error) {
            this.fail(error);
        }
    }

    async openTarget(target: Target, replay: Store["replay"] = null, draft: Draft | null = null): Promise<void> {
        const failure = await this.tryOpen(target, replay, draft);
        if (failure) this.set({ message: failure });
    }

    /** Opens a game, or tells why not. */
    async tryOpen(target: Target, replay: Store["replay"] = null, draft: Draft | null = null): Promise<Failure | null> {
        try {
            const opened = await this.connection.request<Opened>("open", target);
            const before = this.open;
            const { game, name, path, language } = opened;
            const text = draft?.text ?? opened.text;
            const isRestored = draft !== null && text !== opened.text;
            this.played = { moves: [], ply: 0 };
            this.set({
                open: { game, target, name, path, language, opened: text, saved: opened.text },
                text,
                version: 0,
                checked: null,
                findings: { errors: 0, warnings: 0, others: 0 },
                good: null,
                playing: null,
                replay,
                replaces: false,
                changed: isRestored && draft.saved !== opened.text ? { gone: false } : null,
                restored: isRestored ? target : null,
                message: null,
                goto: null,
            });
            document.title = `${name} · rgc studio`;
            history.replaceState(null, "", addressOf(target));
            if (!this.left) this.keep();
            if (before) void this.connection.request("close", { number: before.game });
            void this.read();
            return null;
        } catch (error) {
            return failureOf(error);
        }
    }

    /** Keeps what is open for when the page is loaded again. */
    private keep(): void {
        if (!this.open) return;
        const { target, name, saved } = this.open;
        keep({ target, name, text: this.text, saved, ...this.played });
    }

    /** Keeps the moves of the play, if it has the rules that are written. */
    keepMoves(moves: string[], ply: number): void {
        if (this.left) return;
        this.played = this.playing?.rules === this.text ? { moves, ply } : { moves: [], ply: 0 };
        this.keep();
    }

    /** Forgets what was left in this tab. */
    leave(): void {
        this.set({ left: null });
        forget();
        this.keep();
    }

    /** The address has become that of a link, which somebody has pasted over it. */
    private openPasted(): void {
        const code = codeIn(location.hash);
        if (!code) return;
        if (this.mayLeave()) void this.openLink(code);
        // What was refused is not opened when the page is loaded again.
        else history.replaceState(null, "", addressOf(this.open?.target ?? null));
    }

    /** Asks whether changes that are not saved may be left. */
    mayLeave(): boolean {
        return !this.isChanged || confirm(`${this.open?.name} has changes that are not saved. Leave them?`);
    }

    /** Opens the game that a link carries. */
    async openLink(code: string): Promise<void> {
        // Opened again, the page does not go back to this game.
        history.replaceState(null, "", addressOf(null));
        try {
            const { name, text, moves, ply } = await sharedIn(code);
            await this.openTarget({ shared: { name, text } }, moves.length > 0 ? { moves, ply } : null);
        } catch (error) {
            this.fail(error);
        }
    }

    /** The editor has another text. */
    edit(text: string): void {
        this.text = text;
        this.version += 1;
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => {
            // What is written now is what is wanted.
            if (this.left) this.set({ left: null });
            this.keep();
            void this.read();
        }, PAUSE);
        this.set({});
    }

    /** Lets the server read the text. */
    private async read(): Promise<void> {
        const { open, text, version } = this;
        if (!open) return;
        try {
            const checked = await this.connection.request<Checked>("update", { game: open.game, version, text });
            if (this.open?.game !== open.game || version < (this.checked?.version ?? 0)) return;
            const players = checked.players;
            this.set({ checked, ...(players ? { good: { version, players, text } } : {}) });
        } catch (error) {
            if (failureOf(error).code !== "stopped" && this.open?.game === open.game && this.lost === null) this.fail(error);
        }
    }

    /** Saves the text in its file. */
    async save(): Promise<boolean> {
        const failure = await this.trySave({ replace: this.replaces });
        // There are two ways to go on, and a box that has both.
        if (failure?.code === "IO392") this.set({ changed: { gone: false } });
        else if (failure) this.set({ message: failure });
        return failure === null;
    }

    /** Saves the text, in the place of another file if that is wanted; or tells why not. */
    async trySave(where: { path?: string; replace?: boolean }): Promise<Failure | null> {
        const { open, text } = this;
        if (!open) return null;
        try {
            const saved = await this.connection.request<{ path: string; name: string; language: string }>("save", { game: open.game, text, ...where });
            const isOther = saved.path !== open.path;
            const target = { path: saved.path };
            this.set({ open: { ...open, ...saved, target, saved: text, ...(isOther ? { opened: text } : {}) }, changed: null, replaces: false, restored: null, message: null });
            document.title = `${saved.name} · rgc studio`;
            history.replaceState(null, "", addressOf(target));
            this.keep();
            if (isOther) {
                // Another name may mean another language.
                this.edit(text);
                void this.refresh();
            }
            return null;
        } catch (error) {
            return failureOf(error);
        }
    }
}

export const store = new Store();

/** Shows a component again whenever something has changed. */
export function useStore(): Store {
    const [, set] = useState(0);
    // Other effects wait until the page is painted, and miss what changes until then.
    useLayoutEffect(() => store.subscribe(() => set((count) => count + 1)), []);
    return store;
}
