// What leaves the studio: a link that carries the game, a page that needs no server, and files.

import { useEffect, useRef, useState } from "preact/hooks";
import { MAX_LINK, linkTo } from "./link";
import { Notice, Trouble, grouped } from "./parts";
import { failureOf } from "./rpc";
import { store, useStore } from "./store";
import type { Failure } from "./types";

/** Lets the browser save a file. */
export function download(name: string, file: Blob): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The moves of the play that is shown, in full; none where something is hidden, or if it is a play of other rules. */
async function played(): Promise<{ moves: string[]; ply: number; seats: string[] }> {
    const { playing, good, connection } = store;
    const none = { moves: [], ply: 0, seats: [] };
    if (!playing || !good) return none;
    const moves = await connection.request<string[]>("play.do", { play: playing.play, do: "record" });
    const seats = playing.seats.map((seat) => seat ?? "person");
    return playing.rules === good.text ? { moves, ply: moves.length > 0 ? playing.ply : 0, seats } : none;
}

/** The style of pictures outside of a page, where nothing else says it. */
const COLOURS = ["l", "d", "p", "e", "c", "s"].map((name) => `.picture .${name}`);

function styled(svg: SVGElement): string {
    const copy = svg.cloneNode(true) as SVGElement;
    const rules = COLOURS.flatMap((selector) => {
        const part = svg.querySelector(selector.slice(".picture ".length));
        if (!part) return [];
        const { fill, stroke, strokeWidth, fontSize, textAnchor, fontWeight } = getComputedStyle(part);
        return [`${selector.slice(".picture ".length)}{fill:${fill};stroke:${stroke};stroke-width:${strokeWidth};font-size:${fontSize};text-anchor:${textAnchor};font-weight:${fontWeight};font-family:sans-serif}`];
    });
    const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
    style.textContent = rules.join("\n");
    copy.prepend(style);
    for (const part of copy.querySelectorAll("[data-place]")) for (const name of ["role", "aria-label", "tabindex", "class"]) part.removeAttribute(name);
    return new XMLSerializer().serializeToString(copy);
}

export function ShareDialog({ close }: { close: () => void }) {
    const { open, good } = useStore();
    const dialog = useRef<HTMLDialogElement>(null);
    const [link, setLink] = useState("");
    const [count, setCount] = useState(0);
    const [isCopied, setCopied] = useState(false);
    const [busy, setBusy] = useState<string | null>(null);
    const [failure, setFailure] = useState<Failure | null>(null);
    useEffect(() => {
        dialog.current?.showModal();
        if (!open || !good) return;
        const make = async () => {
            const { moves, ply } = await played();
            setCount(moves.length);
            setLink(await linkTo({ name: open.name, text: good.text, moves, ply }));
        };
        make().catch((error) => setFailure(failureOf(error)));
    }, []);
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(link);
            setCopied(true);
        } catch {
            setFailure({ code: "page", message: "The browser does not let the page copy the link. Mark it and copy it." });
        }
    };
    const load = async (form: "page" | "rg" | "json") => {
        if (!open || !good) return;
        setBusy(form);
        setFailure(null);
        try {
            const { moves, seats, ply } = form === "page" ? await played() : { moves: [], seats: [], ply: 0 };
            const file = await store.connection.request<{ name: string; kind: string; text: string }>("export", { game: open.game, version: good.version, form, moves, seats, ply });
            download(file.name, new Blob([file.text], { type: file.kind }));
        } catch (error) {
            setFailure(failureOf(error));
        } finally {
            setBusy(null);
        }
    };
    const isHidden = store.playing?.isHidden ?? false;
    const boards = [...document.querySelectorAll<SVGElement>(".board .picture svg")];
    const stem = open?.name.replace(/\.[^.]*$/, "") ?? "game";
    const what = count > 0 ? `the rules and ${count} ${count === 1 ? "move" : "moves"}` : "the rules";
    return (
        <dialog class="share" ref={dialog} onClose={close} aria-labelledby="share-title">
            <h2 id="share-title">Share {open?.name}</h2>
            {isHidden && <Notice kind="info">Something is hidden in this game: its moves would tell it, and are neither in the link nor on the page. Once it is over, all can be shown.</Notice>}
            <section>
                <h3>Link</h3>
                <p>It carries {what} itself, and is sent to no server. Whoever has <code>rgc</code> opens it with <code>rgc studio 'LINK'</code>, or pastes it where games are searched in a studio.</p>
                <div class="row">
                    <input class="grow" readOnly value={link} aria-label="Link" onFocus={(event) => event.currentTarget.select()} />
                    <button class="main" disabled={!link} onClick={() => void copy()}>{isCopied ? "Copied" : "Copy"}</button>
                </div>
                {link.length > MAX_LINK && <Notice kind="info">It has {grouped(link.length)} characters; some programs cut links that are so long.</Notice>}
            </section>
            <section>
                <h3>Page</h3>
                <p>One file with the rules, {!isHidden && "the game in the panel Play, "}the automaton and the passes. It opens in a browser, without <code>rgc</code> and without a network.</p>
                <button class="main" disabled={busy !== null} onClick={() => void load("page")}>{busy === "page" ? "Making the page…" : "Save the page"}</button>
            </section>
            <section>
                <h3>Files</h3>
                <div class="row">
                    <button disabled={busy !== null} onClick={() => void load("rg")}>Automaton in RG</button>
                    <button disabled={busy !== null} onClick={() => void load("json")}>Automaton as JSON</button>
                    {boards.map((board, at) => (
                        <button key={at} onClick={() => download(boards.length > 1 ? `${stem}-${at + 1}.svg` : `${stem}.svg`, new Blob([styled(board)], { type: "image/svg+xml" }))}>
                            {boards.length > 1 ? `Board ${at + 1} as SVG` : "Board as SVG"}
                        </button>
                    ))}
                </div>
            </section>
            {failure && <Trouble failure={failure} />}
            <div class="row end"><button onClick={() => dialog.current?.close()}>Close</button></div>
        </dialog>
    );
}
