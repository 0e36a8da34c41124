// What the page knows: what is open, what the server says of its text, and which panel is shown.

import { useLayoutEffect, useState } from "preact/hooks";
import { addressOf, forget, hashOf, isLeft, isUnsaved, keep, keepLeft, kept, keptLeft, targetIn, type Draft } from "./draft";
import { lineEndOf, withLineEnd, withNewlines, type LineEnd } from "./ends";
import type { Finding } from "./findings";
import { codeIn, sharedIn } from "./link";
import { Connection, failureOf, onNotification, secret } from "./rpc";
import type { Checked, Failure, Hello, Library, Opened, Target } from "./types";

/** Time without typing after which a text is read. */
const PAUSE = 120;

export type Panel = "play" | "graph" | "passes" | "measure" | "match" | "audit";

export interface OpenGame {
    game: number;
    /** As what it is opened again. */
    target: Target;
    name: string;
    path: string | null;
    language: string;
    /** The editor that has it: it stays when a file is read once more, so that what was written can be brought back. */
    editor: number;
    /** The text as it was opened; the editor has the present one. */
    opened: string;
    /** What the file has, or had when the text was begun; nothing if that is not known, and is another text. */
    saved: string | null;
    /** How the lines of its file end; those of all texts here end with `\n`. */
    lineEnd: LineEnd;
}

/** Moves that were played, how many of them were shown, and the hash of the rules that they belong to. */
export interface Played {
    moves: string[];
    ply: number;
    rules: string;
    /** Who played whom; nobody where that is not known, as in a link. */
    seats: (string | null)[];
    /** Moves of a game in which something is hidden, which the page does not know. */
    hidden: number;
}

const UNPLAYED: Played = { moves: [], ply: 0, rules: "", seats: [], hidden: 0 };

/** What another program has done to the file. */
export interface Changed {
    gone: boolean;
    /** What the file has now, where it was opened with that. */
    text: string | null;
    /** The digest of what the file has now; nothing if it is gone, or was opened with that. */
    digest: string | null;
    /** The text was to be saved, and was not. */
    isAsked: boolean;
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
    /** What is to be played first if the rules are these: the moves that came with a link, or were kept. */
    replay: Played | null = null;
    message: Failure | null = null;
    /** What the editor shows of the text that is there. */
    findings: Finding[] = [];
    /** The text has changes that were not saved when the page was left; this opens it without them. */
    restored: Target | null = null;
    /** What the file has now has come into the editor, in the place of another text. */
    isReplaced = false;
    /** What was left in this tab with changes that were not saved, when another game was opened. */
    left: Draft[] = [];
    /** Whether the store of the tab has what is open; and what was left. */
    isKept = true;
    isLeftKept = true;
    /** The page is loaded again with everything that it has. */
    isReloading = false;
    /** The moves of the play, as far as they are kept for when the page is loaded again. */
    private played = UNPLAYED;
    lost: string | null = null;
    /** The reader is asked whether changes that are not saved may be left. */
    asking: { name: string; answer: (may: boolean) => void } | null = null;
    /** The file was changed by another program, and nobody has decided yet which text stays. */
    changed: Changed | null = null;
    /** What another program has written and is to be replaced when the text is saved, by its digest. */
    replaces: string | null = null;
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

    /** The text as a file has it. */
    get written(): string {
        return withLineEnd(this.text, this.open?.lineEnd ?? "\n");
    }

    fail(error: unknown): void {
        // That there is no server is said once.
        if (this.lost !== null) return;
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
            if (other && other !== secret) this.reload();
        });
        addEventListener("pagehide", () => this.keep());
        if (!secret) {
            const shares = codeIn(location.hash) && "This link carries a game, but not the secret of a studio. Open it with `rgc studio 'LINK'`, or paste it where games are searched in a studio.";
            return shares ? this.set({ lost: shares }) : lost("the secret is missing");
        }
        try {
            this.connection = await Connection.open(lost);
            onNotification<{ game: number; gone: boolean; digest: string | null }>("changed", ({ game, gone, digest }) => {
                // What was decided was about what the file had before.
                if (this.open?.game !== game) return;
                const isOwn = this.isChanged;
                this.set({ changed: { gone, text: null, digest, isAsked: false }, replaces: null });
                // Where nothing was written here, there is nothing to decide.
                if (!gone && !isOwn) void this.openAgain(true);
            });
            // Files may have been added meanwhile.
            addEventListener("focus", () => this.lost === null && void this.refresh());
            this.set({ hello: await this.connection.request<Hello>("hello") });
            const opening = this.openFirst();
            addEventListener("hashchange", () => void this.openPasted());
            const library = this.refresh();
            await Promise.all([opening, library]);
        } catch (error) {
            if (!this.lost) lost(failureOf(error).message);
        }
    }

    /** Opens what the address names: a link, or what was open before the page was loaded again; else what the studio was started with. */
    private async openFirst(): Promise<void> {
        this.set({ left: keptLeft() });
        const [code, named, draft] = [codeIn(location.hash), targetIn(location.hash), kept()];
        if (!code && draft && named && isLeft(named, draft)) return this.openDraft(draft);
        if (draft) this.putAside(draft);
        if (code) return this.openLink(code);
        const initial = named && named !== "draft" ? named : this.hello?.initial;
        if (initial) await this.openTarget(initial);
    }

    /** Opens what was left in this tab, with what was not saved and the moves that were played. */
    async openDraft(draft: Draft): Promise<void> {
        const { target, moves, ply, rules, seats, hidden } = draft;
        const failure = await this.tryOpen(target, moves.length + hidden > 0 || seats.length > 0 ? { moves, ply, rules, seats, hidden } : null, draft);
        if (!failure) return this.leave(draft);
        // A page without a server opens it when there is one again.
        if (this.lost === null) this.putAside(draft);
        this.set({ message: failure });
    }

    /** Offers what is not opened, if it has changes that were not saved. */
    private putAside(draft: Draft): void {
        if (!isUnsaved(draft) || this.left.includes(draft)) return;
        // There may be no room for it twice.
        forget();
        this.setLeft([draft, ...this.left]);
    }

    private setLeft(left: Draft[]): void {
        this.set({ left, isLeftKept: keepLeft(left) });
    }

    async refresh(): Promise<void> {
        try {
            this.set({ library: await this.connection.request<Library>("library") });
        } catch (error) {
            this.fail(error);
        }
    }

    async openTarget(target: Target, replay: Played | null = null): Promise<void> {
        const failure = await this.tryOpen(target, replay);
        if (failure) this.set({ message: failure });
    }

    /** Reads the open file once more, into the same editor. What was played comes back if it can; `ifSame` leaves a text alone that is edited meanwhile. */
    async openAgain(ifSame = false): Promise<void> {
        const { open, text, played } = this;
        if (!open?.path) return;
        try {
            const opened = await this.connection.request<Opened>("open", { path: open.path });
            if (this.open?.game !== open.game || (ifSame && this.text !== text)) return void this.connection.request("close", { number: opened.game });
            const fresh = withNewlines(opened.text);
            // Where the editor has that text already, there is none before it to be brought back.
            const isReplaced = fresh !== this.text;
            // The editor takes it at once, as a change: nothing is typed in between.
            dispatchEvent(new CustomEvent("replace", { detail: fresh }));
            this.take({ ...open, game: opened.game, language: opened.language, opened: fresh, saved: fresh, lineEnd: lineEndOf(opened.text) }, played);
            this.set({ isReplaced });
            void this.connection.request("close", { number: open.game });
            void this.read();
        } catch (error) {
            this.fail(error);
        }
    }

    /** Shows a game that was opened. */
    private take(open: OpenGame, replay: Played | null): void {
        clearTimeout(this.timer);
        this.played = replay ?? UNPLAYED;
        this.set({
            open,
            text: open.opened,
            version: 0,
            checked: null,
            findings: [],
            good: null,
            playing: null,
            replay,
            replaces: null,
            changed: null,
            restored: null,
            isReplaced: false,
            message: null,
            goto: null,
        });
        document.title = `${open.name} · rgc studio`;
        history.replaceState(null, "", addressOf(open.target));
        this.keep();
    }

    /** Opens a game, or tells why not. */
    async tryOpen(target: Target, replay: Played | null = null, draft: Draft | null = null): Promise<Failure | null> {
        try {
            const opened = await this.connection.request<Opened>("open", target);
            const before = this.open;
            const { game, name, path, language } = opened;
            const fresh = withNewlines(opened.text);
            const restored = draft && isUnsaved(draft) && draft.text !== fresh ? draft : null;
            const text = restored?.text ?? fresh;
            // The server knows what the file has now. What the text is a change of is still what it had before.
            const saved = restored ? restored.saved : fresh;
            this.take({ game, target, name, path, language, editor: game, opened: text, saved, lineEnd: lineEndOf(opened.text) }, replay);
            const isForeign = path !== null && saved !== fresh;
            if (isForeign) this.set({ changed: { gone: false, text: fresh, digest: null, isAsked: false } });
            if (restored) this.set({ restored: target });
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
        const isKept = keep({ target, name, text: this.text, saved, ...this.played });
        if (isKept !== this.isKept) this.set({ isKept });
    }

    /** Keeps the moves of the play that is shown, or the number of those that the page does not know. */
    keepMoves(play: number, moves: string[], ply: number, hidden = 0): void {
        if (this.playing?.play !== play) return;
        this.played = { moves, ply, rules: hashOf(this.playing.rules), seats: this.playing.seats, hidden };
        this.keep();
    }

    /** Forgets something that was left in this tab. */
    leave(draft: Draft): void {
        this.setLeft(this.left.filter((other) => other !== draft));
    }

    /** Whether something is lost when the page is left. */
    get isAsking(): boolean {
        return !this.isReloading && (this.isChanged || !this.isLeftKept);
    }

    /** Loads the page again, and asks before that only if something is not kept. */
    reload(): void {
        this.keep();
        this.isReloading = this.isKept && this.isLeftKept;
        location.reload();
    }

    /** The address has become that of a link, which somebody has pasted over it. */
    private async openPasted(): Promise<void> {
        const code = codeIn(location.hash);
        if (!code) return;
        if (await this.mayLeave()) void this.openLink(code);
        // What was refused is not opened when the page is loaded again.
        else history.replaceState(null, "", addressOf(this.open?.target ?? null));
    }

    /** Asks whether changes that are not saved may be left. */
    mayLeave(): Promise<boolean> {
        const { open } = this;
        if (!open || !this.isChanged) return Promise.resolve(true);
        this.asking?.answer(false);
        return new Promise((resolve) => {
            const answer = (may: boolean) => {
                if (this.asking?.answer !== answer) return;
                this.set({ asking: null });
                resolve(may);
            };
            this.set({ asking: { name: open.name, answer } });
        });
    }

    /** Opens the game that a link carries. */
    async openLink(code: string): Promise<void> {
        // Opened again, the page does not go back to this game.
        history.replaceState(null, "", addressOf(null));
        try {
            const { name, text, moves, ply } = await sharedIn(code);
            await this.openTarget({ shared: { name, text } }, moves.length > 0 ? { moves, ply, rules: hashOf(withNewlines(text)), seats: [], hidden: 0 } : null);
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
        const failure = await this.trySave(this.replaces === null ? {} : { replace: this.replaces });
        // There are two ways to go on, and a box that has both.
        if (failure?.code === "IO392") {
            const changed = this.changed ?? { gone: false, text: null, digest: failure.digest ?? null };
            this.set({ changed: { ...changed, isAsked: true }, replaces: null });
        } else if (failure) this.set({ message: failure });
        return failure === null;
    }

    /** The text is kept, and what another program has written is replaced when it is saved. */
    keepText(): void {
        const { open, changed } = this;
        if (!open || !changed) return;
        // If the file was opened with what it has now, the server sees by itself when it has something else again.
        this.set({ open: { ...open, saved: changed.text }, changed: null, replaces: changed.digest });
        this.keep();
    }

    /** Saves the text, in the place of the file with a digest if that is wanted; or tells why not. */
    async trySave(where: { path?: string; replace?: string }): Promise<Failure | null> {
        const { open, text, written, changed } = this;
        if (!open) return null;
        // Nothing is lost where a name is given and no file has it.
        const isSame = where.path === undefined || (where.path === open.path && !changed?.gone);
        if (changed && isSame && where.replace === undefined) {
            const message = `\`${open.path}\` has been ${changed.gone ? "removed" : "changed"} by another program`;
            return { code: "IO392", message, ...(changed.digest === null ? {} : { digest: changed.digest }) };
        }
        try {
            const saved = await this.connection.request<{ path: string; name: string; language: string }>("save", { game: open.game, text: written, ...where });
            const isOther = saved.path !== open.path;
            const target = { path: saved.path };
            this.set({ open: { ...open, ...saved, target, saved: text, ...(isOther ? { opened: text } : {}) }, changed: null, replaces: null, restored: null, message: null });
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
