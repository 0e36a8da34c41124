// The legal moves in a list, and a field in which one is typed.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Insight, Move, Position } from "./types";

/** Moves that are listed at once. */
const LISTED = 400;

interface Listed {
    moves: Move[];
    position: Position;
    make: (move: Move) => void;
    explain: (text: string) => void;
    /** Which moves fit what is typed; nothing while nothing is. */
    narrow: (moves: Move[] | null) => void;
    /** The pointer or the keys are on a move, or on none any more. */
    look: (move: Move | null) => void;
    insight: Insight | null;
}

export function MoveList({ moves, position, make, explain, narrow, look, insight }: Listed) {
    const [filter, setFilter] = useState("");
    const field = useRef<HTMLInputElement>(null);
    /** Who has made a move by typing goes on with that: the field is gone while others move. */
    const typed = useRef(false);
    /** Enter was pressed where several moves fit. */
    const [isMany, setMany] = useState(false);
    useEffect(() => setFilter(""), [position.play, position.ply]);
    useEffect(() => setMany(false), [filter]);
    useEffect(() => {
        if (!typed.current) return;
        const { activeElement } = document;
        if (activeElement !== document.body && activeElement !== field.current) typed.current = false;
        else if (field.current) field.current.focus();
    });
    const wanted = filter.trim().toLowerCase();
    const fitting = wanted ? moves.filter((move) => move.text.toLowerCase().includes(wanted)) : moves;
    const isPerson = position.turn !== null && position.seats[position.turn] === null;
    const isShown = isPerson && position.over === null && !position.covered;
    // The board shows what is typed.
    const fit = isShown && wanted ? fitting.map((move) => move.index).join() : null;
    useEffect(() => narrow(fit === null ? null : fitting), [fit, position.play, position.ply]);
    if (!isShown) return null;
    const submit = (event: Event) => {
        event.preventDefault();
        const exact = fitting.find((move) => move.text.toLowerCase() === wanted);
        const only = fitting.length === 1 ? fitting[0] : undefined;
        const move = exact ?? only;
        if (wanted && move) {
            typed.current = true;
            make(move);
        } else if (fitting.length === 0) explain(filter);
        else if (wanted) setMany(true);
    };
    const visits = new Map(insight?.moves.map((move) => [move.i, move]));
    const most = insight?.moves.reduce((most, move) => Math.max(most, move.visits), 1) ?? 1;
    return (
        <section class="moves" aria-label="Legal moves">
            <h3>{fitting.length < moves.length && `${fitting.length} of `}{moves.length} {moves.length === 1 ? "move" : "moves"}</h3>
            <form onSubmit={submit}>
                <input ref={field} type="search" placeholder="Type a move" aria-label="Type a move" title="Enter makes the move, or tells why it is not legal" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
            </form>
            {isMany && <p class="hint" role="status">{fitting.length} moves fit: type more of one, or choose it below.</p>}
            <ul>
                {fitting.slice(0, LISTED).map((move) => {
                    const seen = visits.get(move.index);
                    return (
                        <li key={move.index}>
                            <button class="move" onClick={() => make(move)} onPointerEnter={() => look(move)} onPointerLeave={() => look(null)} onFocus={() => look(move)} onBlur={() => look(null)}>
                                {seen && <span class="bar" style={{ width: `${(seen.visits / most) * 100}%` }} />}
                                <span class="text">{move.text}</span>
                                {seen && <span class="value">{seen.value.toFixed(1)}</span>}
                            </button>
                        </li>
                    );
                })}
                {fitting.length > LISTED && <li class="hint">and {fitting.length - LISTED} more: type a part of a move above, or click on the board</li>}
                {fitting.length === 0 && <li class="hint">no move fits; <button class="link" onClick={() => explain(filter)}>why not?</button></li>}
            </ul>
        </section>
    );
}
