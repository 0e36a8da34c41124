// How a play stands, and what was played.

import type { Position } from "./types";

/** How the play stands, or how it has ended. */
export function Headline(props: { position: Position; player: (index: number | null) => string; explain: () => void; reveal: () => void }) {
    const { position, player, explain, reveal } = props;
    const { over, turn, thinking, seats, paused } = position;
    const isAgent = turn !== null && seats[turn] !== null;
    const said =
        over ?? (thinking ? `${player(turn)} (${seats[turn ?? 0]}) is thinking…` : turn === null ? "chance decides" : `${player(turn)} to move${isAgent && paused ? " (stopped)" : ""}`);
    return (
        <p class={over ? "headline over" : "headline"} role="status">
            {said.charAt(0).toUpperCase() + said.slice(1)}
            {over !== null && position.hides && <button class="link" title="The cards of all, and the moves" onClick={reveal}>Show what was hidden</button>}
            {over !== null && position.ply > 0 && !position.hides && <button class="link" onClick={explain}>Why did it end?</button>}
        </p>
    );
}

/** Scrolls a list to its end, where the newest is. */
function showEnd(list: HTMLElement | null): void {
    if (list) list.scrollTop = list.scrollHeight;
}

/** What was played, or what the viewer has observed of it. */
export function Record({ position, player, goto }: { position: Position; player: (index: number | null) => string; goto: (ply: number) => void }) {
    if (position.observed) {
        if (position.observed.length === 0) return null;
        return (
            <section class="record" aria-label="What you have observed">
                <h3>Observed</h3>
                <ol ref={(list) => showEnd(list)}>{position.observed.map((line, at) => <li key={at}>{line}</li>)}</ol>
            </section>
        );
    }
    if (position.record.length === 0) return null;
    // Where chance moves as well, one cannot tell by counting who has moved.
    const hasChance = position.record.some((made) => made.player === null);
    return (
        <section class="record" aria-label="Moves played">
            <h3>Played</h3>
            <ol>
                {position.record.map((made, at) => (
                    <li key={at}>
                        {hasChance && position.record[at - 1]?.player !== made.player && <span class="who">{player(made.player)}</span>}
                        <button class={made.player === null ? "made chance" : "made"} aria-current={position.ply === at + 1} title={player(made.player)} onClick={() => goto(at + 1)}>
                            {made.text}
                        </button>
                    </li>
                ))}
            </ol>
        </section>
    );
}
