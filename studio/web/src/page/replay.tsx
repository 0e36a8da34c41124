// A game to step through.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Beside } from "../beside";
import { Boards } from "../board";
import { Empty, Notice } from "../parts";
import type { Changes, Position } from "../types";
import type { Contents } from "./types";

/** Milliseconds between two positions while they go by themselves. */
const PACE = 700;

/** The first position comes of no move. */
const NOTHING: Changes = { cells: [], places: [] };

/** The position that the address names, or else another one. */
const named = (other: number) => Number(new URLSearchParams(location.hash.slice(1)).get("ply") ?? other) || 0;

export function ReplayPanel({ contents }: { contents: Contents }) {
    const { replay, players, note } = contents;
    const last = (replay?.positions.length ?? 1) - 1;
    const first = replay?.ply ?? 0;
    const [ply, setPly] = useState(() => Math.min(last, Math.max(0, named(first))));
    const [isRunning, setRunning] = useState(false);
    const list = useRef<HTMLOListElement>(null);
    const goto = (ply: number) => setPly(Math.min(last, Math.max(0, ply)));
    useEffect(() => {
        try {
            history.replaceState(null, "", ply === first ? location.pathname : `#ply=${ply}`);
        } catch {
            // A page from the disk may be refused another address.
        }
        list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
    }, [ply]);
    useEffect(() => {
        if (!isRunning) return;
        if (ply === last) return setRunning(false);
        const timer = setTimeout(() => setPly(ply + 1), PACE);
        return () => clearTimeout(timer);
    }, [isRunning, ply]);
    useEffect(() => {
        const keys = (event: KeyboardEvent) => {
            const target = event.target as Element;
            if (event.ctrlKey || event.altKey || event.metaKey || target.closest("input, .rules, [role=tablist], [role=separator]")) return;
            const next = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last }[event.key];
            if (next === undefined) return;
            event.preventDefault();
            goto(next);
        };
        addEventListener("keydown", keys);
        return () => removeEventListener("keydown", keys);
    });
    const shot = replay?.positions[ply];
    const position = useMemo(() => {
        if (!replay || !shot) return null;
        const boards = shot.boards.map(({ title, parts, block }) => ({ title, block, svg: parts.map((part) => replay.parts[part] ?? "").join("") }));
        return { boards, moves: [], marks: replay.moves[ply - 1]?.places ?? [], changed: replay.moves[ply - 1]?.changed ?? NOTHING, aliases: {} } as unknown as Position;
    }, [shot]);
    if (!replay || !shot || !position) return <Empty>{note ?? "There is no game to step through."}</Empty>;
    const player = (index: number | null) => (index === null ? "chance" : (players[index] ?? ""));
    const isOver = ply === last && replay.over !== null;
    const stuck = ply === last ? replay.stuck : null;
    const said = isOver ? replay.over : stuck ? stuck : shot.turn === null ? "chance decides" : `${player(shot.turn)} to move`;
    return (
        <div class="play">
            <div class="toolbar" role="toolbar" aria-label="Replay">
                <span class="steps">
                    <button class="icon" aria-label="First position" disabled={ply === 0} onClick={() => goto(0)}>«</button>
                    <button class="icon" aria-label="Position before" disabled={ply === 0} onClick={() => goto(ply - 1)}>‹</button>
                    <button class="icon" aria-label="Next position" disabled={ply === last} onClick={() => goto(ply + 1)}>›</button>
                    <button class="icon" aria-label="Last position" disabled={ply === last} onClick={() => goto(last)}>»</button>
                </span>
                <button aria-pressed={isRunning} disabled={last === 0} onClick={() => { if (ply === last) goto(0); setRunning(!isRunning); }}>{isRunning ? "Stop" : "Play"}</button>
                <input class="grow" type="range" min="0" max={last} value={ply} aria-label="Position" onInput={(event) => goto(Number(event.currentTarget.value))} />
                <span class="figures">{ply} of {last}</span>
            </div>
            {note && <Notice kind="info">{note}</Notice>}
            <p class={isOver ? "headline over" : "headline"} role="status">{(said ?? "").charAt(0).toUpperCase() + (said ?? "").slice(1)}</p>
            <div class="table">
                <div class="middle">
                    <Boards position={position} moves={position.moves} choice={[]} click={() => {}} look={() => {}} ahead={[]} insight={null} />
                    <Beside position={shot} changed={position.changed} />
                </div>
                <div class="side">
                    <section aria-label="Players">
                        <h3>Players</h3>
                        <ul>
                            {players.map((name, at) => (
                                <li key={name} class="row"><span class="grow">{name} <span class="figures">{replay.seats[at]}</span></span><b>{isOver && shot.scores[at]}</b></li>
                            ))}
                        </ul>
                    </section>
                    <section class="record" aria-label="Moves played">
                        <h3>{replay.moves.length} {replay.moves.length === 1 ? "move" : "moves"}</h3>
                        <ol ref={list}>
                            {replay.moves.map((made, at) => (
                                <li key={at}>
                                    <button class="made" aria-current={ply === at + 1} title={player(made.player)} onClick={() => goto(at + 1)}>{made.text}</button>
                                </li>
                            ))}
                        </ol>
                    </section>
                </div>
            </div>
        </div>
    );
}
