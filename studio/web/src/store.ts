// What the page knows: what is open, what the server says of its text, and which panel is shown.

import { useLayoutEffect, useState } from "preact/hooks";
import { codeIn, sharedIn } from "./link";
import { Connection, failureOf, onNotification, secret } from "./rpc";
import type { Checked, Failure, Hello, Library, Opened, Target } from "./types";

/** Time without typing after which a text is read. */
const PAUSE = 200;

export type Panel = "play" | "graph" | "passes" | "measure" | "match" | "audit";

export interface OpenGame {
    game: number;
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
    playing: { play: number; ply: number; seats: (string | null)[]; rules: string } | null = null;
    /** What is to be played first: the moves that came with a link. */
    replay: { moves: string[]; ply: number } | null = null;
    message: Failure | null = null;
    lost: string | null = null;
    /** The file was changed by another program. */
    changed: { gone: boolean } | null = null;
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
            const initial = this.hello?.initial;
            const code = codeIn(location.hash);
            const opening = code ? this.openLink(code) : initial ? this.openTarget(initial) : Promise.resolve();
            addEventListener("hashchange", () => this.openPasted());
            const library = this.refresh();
            await Promise.all([opening, library]);
        } catch (error) {
            if (!this.lost) lost(failureOf(error).message);
        }
    }

    async refresh(): Promise<void> {
        try {
            this.set({ library: await this.connection.request<Library>("library") });
        } catch (error) {
            this.fail(error);
        }
    }

    async openTarget(target: Target, replay: Store["replay"] = null): Promise<void> {
        try {
            const opened = await this.connection.request<Opened>("open", target);
            const before = this.open;
            const { game, name, path, language, text } = opened;
            this.set({
                open: { game, name, path, language, opened: text, saved: text },
                text,
                version: 0,
                checked: null,
                good: null,
                playing: null,
                replay,
                changed: null,
                message: null,
                goto: null,
            });
            document.title = `${name} · rgc studio`;
            if (before) void this.connection.request("close", { number: before.game });
            await this.read();
        } catch (error) {
            this.fail(error);
        }
    }

    /** The address has become that of a link, which somebody has pasted over it. */
    private openPasted(): void {
        const code = codeIn(location.hash);
        if (!code) return;
        if (this.mayLeave()) void this.openLink(code);
        // What was refused is not opened when the page is loaded again.
        else history.replaceState(null, "", `#t=${secret}`);
    }

    /** Asks whether changes that are not saved may be left. */
    mayLeave(): boolean {
        return !this.isChanged || confirm(`${this.open?.name} has changes that are not saved. Leave them?`);
    }

    /** Opens the game that a link carries. */
    async openLink(code: string): Promise<void> {
        // Opened again, the page does not go back to this game.
        history.replaceState(null, "", `#t=${secret}`);
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
        this.timer = window.setTimeout(() => void this.read(), PAUSE);
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
            if (failureOf(error).code !== "stopped" && this.open?.game === open.game) this.fail(error);
        }
    }

    /** Saves the text, under another path if one is given. */
    async save(path?: string): Promise<boolean> {
        const { open, text } = this;
        if (!open) return false;
        try {
            const saved = await this.connection.request<{ path: string; name: string; language: string }>("save", {
                game: open.game,
                text,
                ...(path ? { path } : {}),
            });
            const isOther = saved.path !== open.path;
            this.set({ open: { ...open, ...saved, saved: text, ...(isOther ? { opened: text } : {}) }, changed: null, message: null });
            document.title = `${saved.name} · rgc studio`;
            if (isOther) {
                // Another name may mean another language.
                this.edit(text);
                void this.refresh();
            }
            return true;
        } catch (error) {
            this.fail(error);
            return false;
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
