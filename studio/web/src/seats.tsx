// Who plays whom: a person, or one of the agents.

import { useState } from "preact/hooks";
import { useStore } from "./store";

const USUAL = ["random", "greedy", "flat:1s", "uct:300ms", "uct:1s", "uct:5s", "ab:1s"];

export function Seats(props: { players: string[]; seats: (string | null)[]; change: (player: number, seat: string | null) => Promise<boolean> }) {
    const { players, seats, change } = props;
    return (
        <section class="seats" aria-label="Who plays">
            {players.map((player, at) => (
                <Seat key={player} player={player} seat={seats[at] ?? null} change={(seat) => change(at, seat)} />
            ))}
        </section>
    );
}

/** Who plays one player; `change` says whether it can be. */
function Seat({ player, seat, change }: { player: string; seat: string | null; change: (seat: string | null) => Promise<boolean> }) {
    const { hello } = useStore();
    const [isOther, setOther] = useState(false);
    const [text, setText] = useState(seat ?? "uct:2s");
    const known = seat === null || USUAL.includes(seat) ? USUAL : [...USUAL, seat];
    const help = hello?.agents.map((agent) => `${agent.name}: ${agent.what}`).join("\n");
    return (
        <label class="seat" title={help}>
            <span>{player}</span>
            {isOther ? (
                <form
                    onSubmit={async (event) => {
                        event.preventDefault();
                        // With a mistake in it, the field stays.
                        if (await change(text.trim())) setOther(false);
                    }}
                    onKeyDown={(event) => event.key === "Escape" && setOther(false)}
                >
                    <input ref={focused} value={text} spellcheck={false} aria-label={`Agent of ${player}`} onInput={(event) => setText(event.currentTarget.value)} />
                    <button type="submit">Set</button>
                </form>
            ) : (
                <select
                    value={seat ?? "person"}
                    onChange={(event) => {
                        const { value } = event.currentTarget;
                        if (value === "other") setOther(true);
                        else void change(value === "person" ? null : value);
                    }}
                >
                    <option value="person">person</option>
                    {known.map((agent) => <option key={agent} value={agent}>{agent}</option>)}
                    <option value="other">another agent…</option>
                </select>
            )}
        </label>
    );
}

/** Gives a field the keys once it is there. */
function focused(field: HTMLInputElement | null): void {
    if (field && document.activeElement !== field) field.focus();
}
