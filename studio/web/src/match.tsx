// Matches between agents: results as they come, and every game to look at.

import { useRef, useState } from "preact/hooks";
import { useJob } from "./job";
import { Drop, Empty, Marked, NumberField, Notice, Trouble } from "./parts";
import { replay } from "./replay";
import { failureOf } from "./rpc";
import { useStore } from "./store";
import type { Failure, Result } from "./types";

/** Games that are listed. */
const LISTED = 200;

/** A match that is played. */
interface Plan {
    games: number;
    players: string[];
    agents: string[];
    /** The rules with which it is. */
    rules: string;
}

/** A match as it is left when another game is opened. */
interface Left {
    agents: string;
    games: number;
    results: Result[];
    plan: Plan | null;
}

/** The last match of each game, by what was opened: files of different folders may have the same name. */
const left = new Map<string, Left>();

export function MatchPanel() {
    const store = useStore();
    const { open, good, hello } = store;
    const own = JSON.stringify(open?.target ?? null);
    const before = useRef(left.get(own)).current;
    const [agents, setAgents] = useState(before?.agents ?? "random, uct:50ms");
    const [games, setGames] = useState(before?.games ?? 20);
    const [results, setResults] = useState<Result[]>(before?.results ?? []);
    const [plan, setPlan] = useState<Plan | null>(before?.plan ?? null);
    if (open) left.set(own, { agents, games, results, plan });
    const [failure, setFailure] = useState<Failure | null>(null);
    const started = useRef<{ agents: string[]; rules: string }>({ agents: [], rules: "" });
    const names = agents.split(",").map((name) => name.trim()).filter(Boolean);
    const job = useJob((kind, what) => {
        if (kind === "begin") setPlan({ ...what, ...started.current });
        if (kind === "result") setResults((results) => [...results, what]);
    });
    if (!open) return <Empty>Open a game to let agents play it.</Empty>;
    if (!good) return <Empty>Agents can play once the text has no errors.</Empty>;
    const start = (event: Event) => {
        event.preventDefault();
        setResults([]);
        setPlan(null);
        setFailure(null);
        started.current = { agents: split(agents), rules: good.text };
        job.start("match.start", { game: open.game, version: good.version, agents: started.current.agents, games, seed: Math.floor(Math.random() * 2 ** 31) });
    };
    const look = async (result: Result) => {
        try {
            const players = result.seats.map((seat) => plan?.agents[seat] ?? "");
            await replay({ game: open.game, version: good.version, players }, { moves: result.moves, ply: 0 }, `Game ${result.number + 1} of the match`);
        } catch (error) {
            setFailure(failureOf(error));
        }
    };
    const rows = results.at(-1)?.rows ?? [];
    const broken = results.filter((result) => result.broken).length;
    const isOld = plan !== null && plan.rules !== good.text;
    return (
        <div class="match">
            <form class="toolbar" onSubmit={start}>
                <label class="grow" title={hello?.agents.map((agent) => `${agent.name}: ${agent.what}`).join("\n")}>
                    agents
                    <input class="grow" value={agents} spellcheck={false} onInput={(event) => setAgents(event.currentTarget.value)} />
                </label>
                <Drop name="which?" kind="agents" title="The agents that there are, and what they are told">
                    <dl>
                        {hello?.agents.map(({ name, what }) => (
                            <div key={name}>
                                <dt><button type="button" class="link" title="Add it" onClick={() => setAgents([...split(agents), name.replace(/\[.*/, "")].join(", "))}>{name}</button></dt>
                                <dd><Marked text={what} /></dd>
                            </div>
                        ))}
                    </dl>
                    <p class="hint">Behind a colon is what a move may take: <code>uct:50ms</code> a time, <code>uct:200p</code> so many playouts.</p>
                </Drop>
                <label title="A line-up is a choice of agents for the seats, in every order: three agents in a game for two have three line-ups">
                    games of each line-up
                    <NumberField value={games} least={1} most={10000} change={setGames} />
                </label>
                {job.isRunning ? <button key="stop" type="button" class="stop" onClick={job.stop}>Stop</button> : <button key="play" type="submit" class="main" disabled={names.length === 0}>Play</button>}
            </form>
            {job.failure && <Trouble failure={job.failure} />}
            {failure && <Trouble failure={failure} dismiss={() => setFailure(null)} />}
            {plan && (
                <p class="figures facts" role="status">
                    {results.length} of {plan.games} games{job.isRunning ? "…" : results.length < plan.games ? ", stopped" : ""}
                    {broken > 0 && <b class="wrong"> · {broken === results.length ? "all of them" : broken} stopped by what is wrong with the rules or an agent: they do not count</b>}
                </p>
            )}
            {isOld && <Notice kind="info">The rules have changed since these games were played.</Notice>}
            {plan && <progress max={plan.games} value={results.length} aria-label="Games played" />}
            {results.length > 0 && plan && <Players results={results} players={plan.players} />}
            {rows.length === 1 && broken < results.length && <p class="figures facts">One agent plays against itself: how strong it is, only another one can tell.</p>}
            {rows.length > 1 && broken < results.length && (
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
                            <button title="Look at this game" onClick={() => void look(result)}>
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

/** What the players of the game have scored, whoever played them: whether it is good to be the first. */
function Players({ results, players }: { results: Result[]; players: string[] }) {
    const played = results.filter((result) => !result.broken && result.scores.length === players.length && result.scores.every((score) => Number.isFinite(Number(score))));
    if (played.length === 0) return null;
    const best = (result: Result) => Math.max(...result.scores.map(Number));
    const isBest = (result: Result, player: number) => Number(result.scores[player]) === best(result);
    const shared = (result: Result) => players.filter((_, player) => isBest(result, player)).length > 1;
    const count = (fits: (result: Result) => boolean) => played.filter(fits).length;
    return (
        <table class="figures-table" data-table="players">
            <thead>
                <tr>{["player", "mean score", "best alone", "best with others", "not best"].map((name) => <th key={name} scope="col">{name}</th>)}</tr>
            </thead>
            <tbody>
                {players.map((player, at) => (
                    <tr key={player}>
                        <th scope="row">{player}</th>
                        <td>{(played.reduce((sum, result) => sum + Number(result.scores[at]), 0) / played.length).toFixed(1)}</td>
                        <td>{count((result) => isBest(result, at) && !shared(result))}</td>
                        <td>{count((result) => isBest(result, at) && shared(result))}</td>
                        <td>{count((result) => !isBest(result, at))}</td>
                    </tr>
                ))}
            </tbody>
        </table>
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
            <p class="axis"><span>100 %</span></p>
            <svg viewBox="0 0 300 120" preserveAspectRatio="none" role="img" aria-label="Score against games">
                <line class="half" x1="0" x2="300" y1="61" y2="61" />
                {Array.from({ length: count }, (_, agent) => <polyline key={agent} class={`course c${agent % 6}`} points={points(agent)} />)}
            </svg>
            <p class="axis"><span>0 % · game 1</span><span>game {results.length}</span></p>
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
            <p class="axis"><span>{highest} {highest === 1 ? "game" : "games"}</span></p>
            <svg viewBox="0 0 300 120" preserveAspectRatio="none" role="img" aria-label="Lengths of games">
                {counts.map((count, at) => <rect key={at} class="bin" x={(at / bins) * 300 + 1} width={300 / bins - 2} y={118 - (count / highest) * 112} height={(count / highest) * 112} />)}
            </svg>
            <p class="axis"><span>{least} plies</span><span>{most} plies</span></p>
            <figcaption>lengths of games</figcaption>
        </figure>
    );
}
