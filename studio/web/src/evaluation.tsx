// What a search has found out so far.

import { grouped } from "./parts";
import type { Insight, Position } from "./types";

/** The last word of a search is about one move; what it has found of the others before that stays. */
export function withOthers(next: Insight, before: Insight | null): Insight {
    const isSame = before && before.play === next.play && before.ply === next.ply && before.purpose === next.purpose;
    if (!next.ended || !isSame) return next;
    const others = before.moves.filter(({ i }) => next.moves.every((move) => move.i !== i));
    return { ...next, moves: [...next.moves, ...others] };
}

export function Evaluation({ position, insight, isDone }: { position: Position; insight: Insight | null; isDone: boolean }) {
    const best = insight?.moves.reduce((best, move) => (move.visits > best.visits ? move : best), insight.moves[0] ?? { i: -1, visits: 0, value: 0 });
    const [least, most] = position.range;
    const share = best && most > least ? ((best.value - least) / (most - least)) * 100 : 50;
    const player = (insight && position.players[insight.player]) ?? "";
    return (
        <section class="evaluation" aria-label="Evaluation">
            <h3>Evaluation{player && ` for ${player}`}</h3>
            <div class={best ? "meter" : "meter idle"} role="meter" aria-label="Expected score" aria-valuemin={least} aria-valuemax={most} aria-valuenow={best?.value ?? (least + most) / 2}>
                <span style={{ width: `${best ? share : 0}%` }} />
            </div>
            {insight && best ? (
                <>
                    <p class="figures">
                        <b>{best.value.toFixed(1)}</b> of {most} · {insight.playouts > 0 ? `${grouped(insight.playouts)} playouts` : `${grouped(insight.nodes)} positions`}{insight.depth > 0 && ` · depth ${insight.depth}`}
                    </p>
                    {isDone && <p class="done">The analysis has ended: {certain(position, best.value, player)}</p>}
                    <p class="line" title="The moves it expects">{insight.line.join("  ")}</p>
                </>
            ) : (
                <p class="figures">thinking…</p>
            )}
        </section>
    );
}

/** What the last word of a search means for a player. */
function certain(position: Position, value: number, player: string): string {
    const [least, most] = position.range;
    const near = (most - least) / 1000;
    const kind = most <= least ? "" : value >= most - near ? ", the best score that there is" : value <= least + near ? ", the worst score that there is" : "";
    return `${player} scores ${value.toFixed(1)}${kind}.`;
}
