// The legal moves in a list, and a field in which one is typed.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Insight, Move, Position, Typed } from "./types";

/** Moves that are listed at once. */
const LISTED = 400;

/** Time without another letter after which a text is read that is not a part of a listed move. */
const PAUSE = 100;

interface Listed {
    moves: Move[];
    position: Position;
    make: (move: Move) => void;
    explain: (text: string) => void;
    /** Which moves a text means in any way of writing them; nothing where that cannot be told any more. */
    read: (text: string) => Promise<Typed | null>;
    /** Which moves fit what is typed; nothing while nothing is. */
    narrow: (moves: Move[] | null) => void;
    /** The pointer or the keys are on a move, or on none any more. */
    look: (move: Move | null) => void;
    insight: Insight | null;
}

export function MoveList({ moves, position, make, explain, read, narrow, look, insight }: Listed) {
    const here = `${position.play} ${position.ply}`;
    const [written, setWritten] = useState({ here, text: "" });
    /** What is typed belongs to a position, and is gone with it. */
    const filter = written.here === here ? written.text : "";
    const field = useRef<HTMLInputElement>(null);
    /** Who has made a move by typing goes on with that: the field is gone while others move. */
    const typed = useRef(false);
    /** The text with which Enter was pressed where several moves fit. */
    const [tried, setTried] = useState("");
    const isMany = filter !== "" && tried === `${here} ${filter}`;
    useEffect(() => {
        if (!typed.current) return;
        const { activeElement } = document;
        if (activeElement !== document.body && activeElement !== field.current) typed.current = false;
        else if (field.current) field.current.focus();
    });
    const wanted = filter.trim().toLowerCase();
    const listed = wanted ? moves.filter((move) => move.text.toLowerCase().includes(wanted)) : moves;
    /** What the text means, where it is written otherwise than in the list. */
    const [meant, setMeant] = useState<{ at: string; moves: number[] } | null>(null);
    const at = `${here} ${wanted}`;
    const isOtherwise = wanted !== "" && listed.length === 0;
    useEffect(() => {
        if (!isOtherwise) return;
        const timer = setTimeout(() => void read(filter).then((found) => setMeant({ at, moves: found?.moves ?? [] })), PAUSE);
        return () => clearTimeout(timer);
    }, [at, isOtherwise]);
    const isReading = isOtherwise && meant?.at !== at;
    const fitting = isReading ? [] : isOtherwise ? position.moves.filter((move) => meant?.moves.includes(move.index)) : listed;
    const isPerson = position.turn !== null && position.seats[position.turn] === null;
    const isShown = isPerson && position.over === null && !position.covered;
    // The board shows what is typed.
    const fit = isShown && wanted && !isReading ? fitting.map((move) => move.index).join() : null;
    useEffect(() => narrow(fit === null ? null : fitting), [fit, position.play, position.ply]);
    if (!isShown) return null;
    const go = (move: Move) => {
        typed.current = true;
        make(move);
    };
    const submit = async (event: Event) => {
        event.preventDefault();
        if (!wanted) return;
        const exact = listed.find((move) => move.text.toLowerCase() === wanted);
        if (exact) return go(exact);
        const found = await read(filter);
        if (!found) return;
        const named = position.moves.filter((move) => found.moves.includes(move.index));
        // What is seen to fit is not passed over by another way to read the text, such as the number of a move in the list.
        const known = /^\d+$/.test(wanted) ? undefined : listed.find((move) => move.index === found.only);
        const fit = known ? [known] : listed.length > 0 ? listed : named;
        setMeant({ at, moves: found.moves });
        if (fit.length === 1 && fit[0]) go(fit[0]);
        else if (fit.length > 1) setTried(`${here} ${filter}`);
        else explain(filter);
    };
    /** The numbers of moves in the list of all. */
    const numbers = new Map(position.moves.map((move, at) => [move.index, at + 1]));
    const visits = new Map(insight?.moves.map((move) => [move.i, move]));
    const most = insight?.moves.reduce((most, move) => Math.max(most, move.visits), 1) ?? 1;
    return (
        <section class="moves" aria-label="Legal moves">
            <h3>{!isReading && fitting.length < moves.length && `${fitting.length} of `}{moves.length} {moves.length === 1 ? "move" : "moves"}</h3>
            <form onSubmit={submit}>
                <input ref={field} type="search" placeholder="Type a move" aria-label="Type a move" title="In any way in which moves are written; Enter makes the move, or tells why it is not legal" value={filter} onInput={(event) => setWritten({ here, text: event.currentTarget.value })} />
            </form>
            {isMany && <p class="hint" role="status">{fitting.length} moves fit: type more of one, or its number with a dot, or choose it below.</p>}
            <ul>
                {fitting.slice(0, LISTED).map((move) => {
                    const seen = visits.get(move.index);
                    return (
                        <li key={move.index}>
                            <button class="move" onClick={() => make(move)} onPointerEnter={() => look(move)} onPointerLeave={() => look(null)} onFocus={() => look(move)} onBlur={() => look(null)}>
                                {seen && <span class="bar" style={{ width: `${(seen.visits / most) * 100}%` }} />}
                                <span class="number" data-number={numbers.get(move.index)} />
                                <span class="text">{move.text}</span>
                                {seen && <span class="value">{seen.value.toFixed(1)}</span>}
                            </button>
                        </li>
                    );
                })}
                {fitting.length > LISTED && <li class="hint">and {fitting.length - LISTED} more: type a part of a move above, or click on the board</li>}
                {fitting.length === 0 && !isReading && <li class="hint">no move fits; <button class="link" onClick={() => explain(filter)}>why not?</button></li>}
            </ul>
        </section>
    );
}
