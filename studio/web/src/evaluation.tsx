// What a search has found out so far.

import { grouped } from "./parts";
import type { Insight, Position } from "./types";

export function Evaluation({ position, insight }: { position: Position; insight: Insight | null }) {
    const best = insight?.moves.reduce((best, move) => (move.visits > best.visits ? move : best), insight.moves[0] ?? { i: -1, visits: 0, value: 0 });
    const [least, most] = position.range;
    const share = best && most > least ? ((best.value - least) / (most - least)) * 100 : 50;
    const player = insight ? position.players[insight.player] : "";
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
                    <p class="line" title="The moves it expects">{insight.line.join("  ")}</p>
                </>
            ) : (
                <p class="figures">thinking…</p>
            )}
        </section>
    );
}
