// Matches between agents: results as they come, and every game to look at.

import { useRef, useState } from "preact/hooks";
import { useJob } from "./job";
import { Empty, Trouble } from "./parts";
import { failureOf } from "./rpc";
import { useStore } from "./store";
import type { Failure, Position, Result } from "./types";

/** Games that are listed. */
const LISTED = 200;

export function MatchPanel() {
    const store = useStore();
    const { open, good, hello } = store;
    const [agents, setAgents] = useState("random, uct:50ms");
    const [games, setGames] = useState(20);
    const [results, setResults] = useState<Result[]>([]);
    const [plan, setPlan] = useState<{ games: number; players: string[]; agents: string[] } | null>(null);
    const [failure, setFailure] = useState<Failure | null>(null);
    const started = useRef<string[]>([]);
    const names = agents.split(",").map((name) => name.trim()).filter(Boolean);
    const job = useJob((kind, what) => {
        if (kind === "begin") setPlan({ ...what, agents: started.current });
        if (kind === "result") setResults((results) => [...results, what]);
    });
    if (!open) return <Empty>Open a game to let agents play it.</Empty>;
    if (!good) return <Empty>Agents can play once the text has no errors.</Empty>;
    const start = (event: Event) => {
        event.preventDefault();
        setResults([]);
        setPlan(null);
        setFailure(null);
        started.current = split(agents);
        job.start("match.start", { game: open.game, version: good.version, agents: started.current, games, seed: Math.floor(Math.random() * 2 ** 31) });
    };
    const replay = async (result: Result) => {
        if (!result.moves) return;
        try {
            const seats = good.players.map(() => null);
            const play = await store.connection.request<Position>("play.new", { game: open.game, version: good.version, seats, seed: 0 });
            await store.connection.request<Position>("play.do", { play: play.play, do: "replay", moves: result.moves });
            const position = await store.connection.request<Position>("play.do", { play: play.play, do: "goto", ply: result.moves.length });
            store.set({ panel: "play" });
            dispatchEvent(new CustomEvent("replay", { detail: position }));
        } catch (error) {
            setFailure(failureOf(error));
        }
    };
    const rows = results.at(-1)?.rows ?? [];
    return (
        <div class="match">
            <form class="toolbar" onSubmit={start}>
                <label class="grow" title={hello?.agents.map((agent) => `${agent.name}: ${agent.what}`).join("\n")}>
                    agents
                    <input class="grow" value={agents} spellcheck={false} onInput={(event) => setAgents(event.currentTarget.value)} />
                </label>
                <label>
                    games of each line-up
                    <input type="number" min="1" max="10000" value={games} onInput={(event) => setGames(Number(event.currentTarget.value) || 1)} />
                </label>
                {job.isRunning ? <button key="stop" type="button" class="stop" onClick={job.stop}>Stop</button> : <button key="play" type="submit" class="main" disabled={names.length === 0}>Play</button>}
            </form>
            {job.failure && <Trouble failure={job.failure} />}
            {failure && <Trouble failure={failure} dismiss={() => setFailure(null)} />}
            {plan && (
                <p class="figures facts" role="status">
                    {results.length} of {plan.games} games{job.isRunning ? "…" : ""}
                </p>
            )}
            {plan && <progress max={plan.games} value={results.length} aria-label="Games played" />}
            {rows.length > 0 && (
                <table class="figures-table">
                    <thead>
                        <tr>{["agent", "score", "95 %", "Elo", "won", "drawn", "lost", "ms/move"].map((name) => <th key={name} scope="col">{name}</th>)}</tr>
                    </thead>
                    <tbody>
                        {rows.map((row) => (
                            <tr key={row.agent}>
                                <th scope="row">{row.agent}</th>
                                <td>{percent(row.score)}</td>
                                <td>{percent(row.low)} – {percent(row.high)}</td>
                                <td class="elo" title={`${signed(row.elo[0], row.low)} to ${signed(row.elo[2], row.high)}`}>{signed(row.elo[1], row.score)}</td>
                                <td>{row.won}</td>
                                <td>{row.drawn}</td>
                                <td>{row.lost}</td>
                                <td>{(row.pace * 1000).toFixed(1)}</td>
                            </tr>
                        ))}
                    </tbody>
                </table>
            )}
            {results.length > 1 && (
                <div class="charts">
                    <Scores results={results} />
                    <Lengths results={results} />
                </div>
            )}
            {results.length === 0 && !job.isRunning && <Empty>Names of agents are separated by commas. Everybody plays everybody, on every seat equally often.</Empty>}
            {plan && results.length > 0 && (
                <ol class="games" aria-label="Games">
                    {results.slice(-LISTED).reverse().map((result) => (
                        <li key={result.number}>
                            <button disabled={!result.moves} title={result.moves ? "Look at this game" : "Moves are hidden in this game"} onClick={() => void replay(result)}>
                                <span>{result.number + 1}.</span> {result.seats.map((seat, player) => `${plan.players[player]} ${plan.agents[seat]} ${result.scores[player] ?? ""}`).join(" · ")}
                                <span class="plies">{result.plies} plies{!result.over && ", stopped"}</span>
                            </button>
                            {result.broken && <Trouble failure={result.broken} />}
                        </li>
                    ))}
                </ol>
            )}
        </div>
    );
}

/** The agents of a list; options of one may have commas as well. */
function split(agents: string): string[] {
    const list: string[] = [];
    for (const part of agents.split(",").map((part) => part.trim()).filter(Boolean)) {
        const last = list.at(-1);
        if (last?.includes(":") && !part.includes(":") && /[=0-9]|^(rave|keep|table)$/.test(part)) list[list.length - 1] = `${last},${part}`;
        else list.push(part);
    }
    return list;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
/** A difference of ratings; without one it is infinite, for a score of nothing or of everything. */
const signed = (elo: number | null, score: number) => (elo !== null ? `${elo >= 0 ? "+" : ""}${elo.toFixed(0)}` : score < 0.5 ? "−∞" : "+∞");

/** The score of each agent against the number of games. */
function Scores({ results }: { results: Result[] }) {
    const count = results[0]?.rows.length ?? 0;
    const points = (agent: number) => results.map((result, at) => `${((at / (results.length - 1)) * 300).toFixed(1)},${(118 - (result.rows[agent]?.score ?? 0.5) * 114).toFixed(1)}`).join(" ");
    return (
        <figure class="courses">
            <svg viewBox="0 0 300 120" preserveAspectRatio="none" role="img" aria-label="Score against games">
                <line class="half" x1="0" x2="300" y1="61" y2="61" />
                {Array.from({ length: count }, (_, agent) => <polyline key={agent} class={`course c${agent % 6}`} points={points(agent)} />)}
            </svg>
            <figcaption>score after each game:{results[0]?.rows.map((row, at) => <span key={row.agent} class={`key c${at % 6}`}>{row.agent}</span>)}</figcaption>
        </figure>
    );
}

/** How long games are. */
function Lengths({ results }: { results: Result[] }) {
    const plies = results.map((result) => result.plies);
    // Not as arguments of one call: there may be more results than a call can have.
    const [least, most] = plies.reduce(([least, most], length) => [Math.min(least, length), Math.max(most, length)], [Infinity, 0]);
    const bins = Math.min(20, most - least + 1);
    const counts = Array.from({ length: bins }, () => 0);
    for (const length of plies) {
        const at = Math.min(bins - 1, Math.floor(((length - least) / (most - least + 1)) * bins));
        counts[at] = (counts[at] ?? 0) + 1;
    }
    const highest = Math.max(...counts);
    return (
        <figure class="courses">
            <svg viewBox="0 0 300 120" preserveAspectRatio="none" role="img" aria-label="Lengths of games">
                {counts.map((count, at) => <rect key={at} class="bin" x={(at / bins) * 300 + 1} width={300 / bins - 2} y={118 - (count / highest) * 112} height={(count / highest) * 112} />)}
            </svg>
            <figcaption>lengths of games: {least} to {most} plies</figcaption>
        </figure>
    );
}
