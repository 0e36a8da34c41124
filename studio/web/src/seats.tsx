// Who plays whom: a person, or one of the agents.

import { useState } from "preact/hooks";
import { useStore } from "./store";

const USUAL = ["random", "greedy", "flat:1s", "uct:300ms", "uct:1s", "uct:5s", "ab:1s"];

export function Seats(props: { players: string[]; seats: (string | null)[]; change: (player: number, seat: string | null) => void }) {
    const { players, seats, change } = props;
    return (
        <section class="seats" aria-label="Who plays">
            {players.map((player, at) => (
                <Seat key={player} player={player} seat={seats[at] ?? null} change={(seat) => change(at, seat)} />
            ))}
        </section>
    );
}

function Seat({ player, seat, change }: { player: string; seat: string | null; change: (seat: string | null) => void }) {
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
                    onSubmit={(event) => {
                        event.preventDefault();
                        setOther(false);
                        change(text.trim());
                    }}
                >
                    <input value={text} autofocus spellcheck={false} aria-label={`Agent of ${player}`} onInput={(event) => setText(event.currentTarget.value)} />
                    <button type="submit">Set</button>
                </form>
            ) : (
                <select
                    value={seat ?? "person"}
                    onChange={(event) => {
                        const { value } = event.currentTarget;
                        if (value === "other") setOther(true);
                        else change(value === "person" ? null : value);
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
