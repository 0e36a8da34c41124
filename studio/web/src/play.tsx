// Playing: the board, the moves, who plays whom, and what agents think.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Beside } from "./beside";
import { Boards, begins, onward, shared, type Spot } from "./board";
import { Evaluation, withOthers } from "./evaluation";
import { MoveList } from "./moves";
import { Empty, Marked, Notice, Trouble } from "./parts";
import { Headline, Record } from "./record";
import type { Replayed } from "./replay";
import { failureOf, isOutdated, onNotification } from "./rpc";
import { Seats } from "./seats";
import { store, useStore, type Played } from "./store";
import type { Answer, Changes, Ended, Failure, Insight, Move, Position, Typed } from "./types";
import { Why, written } from "./why";

/** Clicks on places, as far as they belong to a legal move. */
interface Choice {
    clicks: string[];
    /** Moves that no further place tells apart. */
    menu: Move[];
    /** The only move of the menu waits for a second tap. */
    isTouched?: boolean;
}

/** Time in which moves are kept once, as agents may make many. */
const PAUSE = 300;

const NOTHING: Choice = { clicks: [], menu: [] };

const NONE: [number, string][] = [];

/** A ply behind all others: the last position. */
const LAST = 2 ** 31;

/** A game that others have played, such as agents in a match. */
interface Guest {
    name: string;
    players: string[];
    /** The rules of the own play, which waits. */
    rules: string;
}

/** Pieces of chess from the strongest on: what a pawn becomes is chosen in this order. */
const STRENGTHS = "QRBN";

/** Moves that differ in a letter of a piece at their end, from the strongest piece on; others as they are. */
function inOrder(moves: Move[]): Move[] {
    const rank = ({ text }: Move) => STRENGTHS.indexOf(text.slice(-1).toUpperCase());
    return moves.every((move) => rank(move) >= 0) ? [...moves].sort((one, other) => rank(one) - rank(other)) : moves;
}

const end = (play: number) => void store.connection.request("play.end", { number: play }).catch(() => {});

const moved = (count: number) => `${count} ${count === 1 ? "move" : "moves"}`;

/** Plays a game that was played elsewhere, and shows one of its positions. */
async function replayed(play: number, { moves, ply }: Played): Promise<Position> {
    const act = (action: object) => store.connection.request<Position>("play.do", { play, ...action });
    await act({ do: "replay", moves });
    return act({ do: "goto", ply: Math.max(0, ply) });
}

export function PlayPanel() {
    const store = useStore();
    const { good, open } = store;
    const [position, setPosition] = useState<Position | null>(null);
    const [insight, setInsight] = useState<Insight | null>(null);
    const [failure, setFailure] = useState<Failure | null>(null);
    const [choice, setChoice] = useState<Choice>(NOTHING);
    const [seats, setSeats] = useState<(string | null)[] | null>(null);
    /** Why the move that was tried last is not legal. */
    const [answer, setAnswer] = useState<Answer | null>(null);
    const tried = useRef(0);
    /** The moves that fit what is typed; nothing while nothing is. */
    const [typed, setTyped] = useState<Move[] | null>(null);
    /** What the move would change on which the pointer is. */
    const [ahead, setAhead] = useState<Changes | null>(null);
    const looking = useRef(0);
    const lookedAt = useRef("");
    /** That the game that was played before the page was loaded again did not come back. */
    const [lost, setLost] = useState<string | null>(null);
    /** A game that others have played is looked at; the own one waits. */
    const [guest, setGuest] = useState<Guest | null>(null);
    const waiting = useRef<Position | null>(null);
    const names = useRef<string[] | null>(null);
    const isOwn = () => waiting.current === null;

    const shown = useRef<Position | null>(null);
    /** The seats that the server was asked for, until it answers. */
    const wanted = useRef<(string | null)[] | null>(null);
    const show = (next: Position, rules = store.playing?.rules ?? "") => {
        const before = shown.current;
        shown.current = next;
        setPosition(next);
        // What was chosen of a move stays when something else has changed, such as who plays.
        if (before?.play !== next.play || before.ply !== next.ply) {
            setChoice(NOTHING);
            setAnswer(null);
            tried.current += 1;
            setTyped(null);
            setAhead(null);
            looking.current += 1;
        }
        setFailure(null);
        const isHidden = next.hides;
        store.set({ playing: { play: next.play, ply: next.ply, seats: isOwn() ? next.seats : (names.current ?? next.seats), rules, isHidden } });
        if (isOwn() && (before?.play !== next.play || before.ply !== next.ply || before.plies !== next.plies || String(before.seats) !== String(next.seats))) keepSoon();
    };
    const timer = useRef(0);
    const keepSoon = () => {
        timer.current ||= window.setTimeout(() => {
            timer.current = 0;
            void keepMoves();
        }, PAUSE);
    };
    useEffect(() => () => clearTimeout(timer.current), []);
    /** Keeps the moves for when the page is loaded again. */
    const keepMoves = async () => {
        if (!shown.current || !isOwn()) return;
        const { play, ply, plies } = shown.current;
        if (store.playing?.isHidden) return store.keepMoves(play, [], 0, plies);
        try {
            const moves = await store.connection.request<string[]>("play.do", { play, do: "record" });
            // Otherwise the position that is shown now is kept next.
            if (shown.current.play === play && shown.current.ply === ply) store.keepMoves(play, moves, ply);
        } catch {
            // A play that has ended meanwhile is not kept.
        }
    };
    const begin = async (chosen: (string | null)[], replay: Played | null = null) => {
        if (!open) return;
        const { game } = open;
        const seed = Math.floor(Math.random() * 2 ** 31);
        const rules = good?.text;
        try {
            const next = await store.connection.request<Position>("play.new", { game, version: good?.version, seats: chosen, seed });
            // Another game was opened meanwhile, whose own panel begins a play.
            if (store.open?.game !== game) {
                void store.connection.request("play.end", { number: next.play }).catch(() => {});
                return;
            }
            setInsight(null);
            store.replay = null;
            leaveGuest();
            show(next, rules);
            if (replay) await bringBack(next.play, replay, chosen);
        } catch (error) {
            if (!isOutdated(error)) setFailure(failureOf(error));
        }
    };
    /** Plays on in a new play what was played before, or tells why that does not go. */
    const bringBack = async (play: number, replay: Played, chosen: (string | null)[]) => {
        const { moves, hidden } = replay;
        if (hidden > 0) setLost(`Your game of ${moved(hidden)} was not brought back: what is hidden in it is not kept, and another one has been dealt.`);
        if (moves.length === 0) return;
        try {
            let next = await replayed(play, replay);
            if (chosen.some((seat) => seat !== null)) next = await store.connection.request<Position>("play.do", { play, do: "seats", seats: chosen });
            show(next);
        } catch (error) {
            setLost(`Your game of ${moved(moves.length)} was not brought back: ${failureOf(error).message}`);
        }
    };
    const act = async (action: object): Promise<boolean> => {
        if (!position) return false;
        try {
            show(await store.connection.request<Position>("play.do", { play: position.play, ...action }));
            return true;
        } catch (error) {
            setFailure(failureOf(error));
            return false;
        }
    };
    const explain = async (text: string) => {
        if (!position || !text.trim()) return;
        const own = ++tried.current;
        try {
            const found = await store.connection.request<Answer>("play.do", { play: position.play, do: "why", text });
            if (own === tried.current) setAnswer(found);
        } catch (error) {
            const failure = failureOf(error);
            if (own === tried.current) setAnswer({ text: failure.message, places: [] });
        }
    };
    /** Tells why the game has ended: that somebody has no move, if it is that, and the last lines of the rules before the end. */
    const explainEnd = async () => {
        if (!position) return;
        const own = ++tried.current;
        try {
            const { unable, lines } = await store.connection.request<Ended>("play.do", { play: position.play, do: "ended" });
            const text = lines.length > 0 ? "The game has ended here, by these lines of the rules, one after the other:" : "What the rules did last is not known, or hidden.";
            const last = { text, places: lines };
            if (own === tried.current) setAnswer(unable ? (lines.length > 0 ? { ...unable, more: last } : unable) : last);
        } catch (error) {
            if (own === tried.current) setAnswer({ text: failureOf(error).message, places: [] });
        }
    };
    // A play begins with the first text without errors, and anew with other rules as long as no move was made.
    const count = good?.players.length;
    useEffect(() => {
        if (!good || count === undefined) return;
        const isFresh = !position || (position.plies === 0 && store.playing?.rules !== good.text);
        if (!isFresh) return;
        // Nobody goes on with a game that came with a link before somebody wants that.
        // Moves that are legal with other rules are played with these; a comment may be all that has changed.
        const { replay } = store;
        const kept = replay?.seats.length === count ? replay.seats : null;
        const nobody = replay && replay.moves.length > 0 ? Array.from({ length: count }, () => null) : null;
        const known = kept ?? nobody ?? (seats?.length === count ? seats : null) ?? Array.from({ length: count }, (_, player) => (player === 0 ? null : "uct:1s"));
        setLost(null);
        setSeats(known);
        void begin(known, replay);
    }, [good?.version, count]);
    // These listen all the time, and not only to the play that is shown: it may report before the page has shown it.
    useLayoutEffect(() => {
        const notified = [
            onNotification<Position>("position", (next) => next.play === shown.current?.play && show(next)),
            onNotification<Insight>("insight", (next) => next.play === shown.current?.play && setInsight((before) => withOthers(next, before))),
        ];
        return () => notified.forEach((end) => end());
    }, []);
    const play = position?.play;
    useEffect(() => {
        if (play === undefined) return;
        return () => void (waiting.current?.play !== play && end(play));
    }, [play]);
    useEffect(() => leaveGuest, []);
    /** Forgets the own play that waits while another one is looked at. */
    const leaveGuest = () => {
        if (waiting.current) end(waiting.current.play);
        waiting.current = null;
        setGuest(null);
    };
    /** Goes back to the own play. */
    const goBack = async () => {
        const own = waiting.current;
        if (!own) return;
        try {
            const ply = own.ply < own.plies ? own.ply : LAST;
            const next = await store.connection.request<Position>("play.do", { play: own.play, do: "goto", ply });
            const { rules } = guest ?? { rules: "" };
            waiting.current = null;
            setGuest(null);
            setInsight(null);
            show(next, rules);
        } catch (error) {
            setFailure(failureOf(error));
        }
    };
    // A game of a match is looked at.
    useLayoutEffect(() => {
        const replayed = (event: Event) => {
            const { position: next, name, players }: Replayed = (event as CustomEvent).detail;
            const rules = isOwn() ? (store.playing?.rules ?? "") : null;
            if (isOwn()) waiting.current = shown.current;
            names.current = players;
            setGuest((guest) => ({ name, players, rules: rules ?? guest?.rules ?? "" }));
            show(next, store.good?.text);
        };
        addEventListener("replay", replayed);
        return () => removeEventListener("replay", replayed);
    }, []);
    // An analysis ends where something is measured.
    useLayoutEffect(() => {
        const quiet = () => void (position?.analysing && act({ do: "analyse" }));
        addEventListener("quiet", quiet);
        return () => removeEventListener("quiet", quiet);
    });
    useEffect(() => {
        const keys = (event: KeyboardEvent) => {
            if (store.panel === "play" && event.key === "Escape" && choice.clicks.length > 0) setChoice({ clicks: choice.clicks.slice(0, -1), menu: [] });
        };
        addEventListener("keydown", keys);
        return () => removeEventListener("keydown", keys);
    }, [choice]);

    if (!open) return <Empty>Open a game to play it.</Empty>;
    if (!position) {
        if (failure) return <Trouble failure={failure} />;
        return <Empty>{good || !store.checked ? "Preparing the game…" : "The game can be played once its text has no errors."}</Empty>;
    }

    const { moves } = position;
    const make = (move: Move) => void act({ do: "move", index: move.index, ply: position.ply });
    /** What was clicked, or what all moves have that fit what is typed. */
    const chosen = typed && choice.clicks.length === 0 ? shared(typed) : choice.clicks;
    /** The clicks with one more on a place: behind those before, or else of another move. Nothing where no move begins there. */
    const clicked = (spot: Spot): string[] | null => {
        const alias = position.aliases[spot.label];
        const further = (clicks: string[]) => onward(moves, clicks, spot) ?? (alias ? onward(moves, clicks, { ...spot, label: alias, outer: null }) : null);
        const more = further(chosen);
        return more ? [...chosen, ...more] : further([]);
    };
    /** Which moves a text means that is typed; nothing where another position is shown meanwhile. */
    const read = async (text: string): Promise<Typed | null> => {
        try {
            return await store.connection.request<Typed>("play.do", { play: position.play, do: "read", text, ply: position.ply });
        } catch {
            return null;
        }
    };
    /** The moves that begin with clicks, and those of them that have no more. */
    const after = (clicks: string[]) => {
        const left = moves.filter((move) => begins(move, clicks));
        return { left, whole: left.filter((move) => move.clicks.length === clicks.length) };
    };
    /** Shows what a move would change. */
    const lookAhead = async (move: Move | null) => {
        const own = ++looking.current;
        setAhead(null);
        if (!move) return;
        try {
            const found = await store.connection.request<Changes>("play.do", { play: position.play, do: "preview", index: move.index, ply: position.ply });
            if (own === looking.current) setAhead(found);
        } catch {
            // Nothing is shown of a move that cannot be made any more.
        }
    };
    /** The same for the move that a click would make. */
    const look = (spot: Spot | null) => {
        const at = JSON.stringify([spot, position.play, position.ply, chosen]);
        if (at === lookedAt.current) return;
        lookedAt.current = at;
        // What waits for a second tap is shown until then.
        if (choice.isTouched && choice.menu.length > 0) return;
        const clicks = spot === null || position.over !== null ? null : clicked(spot);
        const { left, whole } = clicks ? after(clicks) : { left: [], whole: [] };
        const move = left.length === 1 ? whole[0] : undefined;
        if (move || ahead) void lookAhead(move ?? null);
        else looking.current += 1;
    };
    const click = (spot: Spot, isTouched: boolean) => {
        if (position.over !== null) return void (!position.hides && explainEnd());
        const { label } = spot;
        const [waiting] = choice.menu;
        // The second tap on the place makes the move that the first one has shown.
        if (choice.isTouched && waiting && choice.menu.length === 1 && choice.clicks.at(-1) === label) return make(waiting);
        const clicks = clicked(spot);
        if (!clicks) {
            setChoice(NOTHING);
            // A second click on the place that was chosen only takes it back.
            if (choice.clicks.at(-1) === label) return;
            const others = onOthers(spot);
            if (others) setAnswer({ text: others, places: [] });
            else if (moves.some((move) => move.clicks.length > 0)) void explain(written([...chosen, label]));
            return;
        }
        tried.current += 1;
        setAnswer(null);
        const { left, whole } = after(clicks);
        const [only] = left.length === 1 ? whole : [];
        if (!only) return setChoice({ clicks, menu: inOrder(whole) });
        if (!isTouched) return make(only);
        setChoice({ clicks, menu: [only], isTouched });
        void lookAhead(only);
    };
    /** That moves go on at a place of this label, but on other boards. */
    const onOthers = (spot: Spot): string | null => {
        const clicks = spot.board === null ? null : clicked({ ...spot, board: null });
        const boards = clicks && [...new Set(after(clicks).left.flatMap((move) => move.boards))].map((board) => position.boards[board]?.title).filter(Boolean);
        return boards && boards.length > 0 ? `\`${spot.label}\` is chosen on ${boards.map((title) => `\`${title}\``).join(" or ")} here` : null;
    };
    const isOld = good !== null && store.playing !== null && store.playing.rules !== good.text;
    /** Whether an agent thinks now; an analysis waits at the end, and while others are to move. */
    const isThinking = position.thinking || (position.analysing && position.over === null && position.trouble === null);
    const isDone = insight !== null && insight.ply === position.ply && insight.ended === true && !position.thinking;
    const seen = insight && insight.ply === position.ply && isThinking ? insight : null;
    /** Nobody has moved but chance. */
    const isOfChance = position.record.length > 0 && position.record.slice(0, position.ply).every((made) => made.player === null);
    const player = (index: number | null) => (index === null ? "chance" : (position.players[index] ?? ""));
    const listed = moves.filter((move) => begins(move, choice.clicks));
    /** Something is hidden, and nobody is there to whom it is not. */
    const isBlind = position.hides && !position.covered && position.viewer === null && position.record.length === 0 && position.plies > 0 && position.boards.length === 0;
    const menu = choice.menu.length > 0 && (
        <div class="choice" role="group" aria-label="Which move?">
            <span>{choice.isTouched ? "Tap once more:" : "Which one?"}</span>
            {choice.menu.map((move) => (
                <button key={move.index} class="main" onClick={() => make(move)}>{move.text}</button>
            ))}
        </div>
    );
    return (
        <div class="play" data-play={position.play}>
            <div class="toolbar" role="toolbar" aria-label="Play">
                <button onClick={() => void begin(seats ?? position.seats)}>New game</button>
                <button onClick={() => void act({ do: "back" })} disabled={position.ply === 0 || isOfChance}>Take back</button>
                <span class="steps">
                    <button class="icon" aria-label="First position" disabled={position.ply === 0} onClick={() => void act({ do: "goto", ply: 0 })}>«</button>
                    <button class="icon" aria-label="Position before" disabled={position.ply === 0} onClick={() => void act({ do: "goto", ply: position.ply - 1 })}>‹</button>
                    <button class="icon" aria-label="Next position" disabled={position.ply === position.plies} onClick={() => void act({ do: "goto", ply: position.ply + 1 })}>›</button>
                    <button class="icon" aria-label="Last position" disabled={position.ply === position.plies} onClick={() => void act({ do: "goto", ply: position.plies })}>»</button>
                </span>
                <button aria-pressed={position.analysing} onClick={() => void act({ do: "analyse" })} title="An agent thinks about the position and shows what it finds">Analyse</button>
                {isThinking && !isDone && <button class="stop" onClick={() => void act({ do: "stop" })}>Stop</button>}
                {position.paused && position.over === null && <button onClick={() => void act({ do: "resume" })}>Play on from here</button>}
            </div>
            {failure && <Trouble failure={failure} dismiss={() => setFailure(null)} />}
            {position.trouble && <Trouble failure={position.trouble} />}
            {lost !== null && (
                <Notice kind="info">
                    <div class="row">
                        <span class="grow"><Marked text={lost} /></span>
                        <button class="icon" aria-label="Dismiss" onClick={() => setLost(null)}>✕</button>
                    </div>
                </Notice>
            )}
            {guest && (
                <Notice kind="info">
                    <div class="row">
                        <span class="grow"><b>{guest.name}</b>: {position.players.map((name, at) => `${name} ${guest.players[at] ?? ""}`).join(" · ")}</span>
                        <button onClick={() => void goBack()}>Back to my game</button>
                    </div>
                </Notice>
            )}
            {isOld && (
                <Notice kind="info">
                    <div class="row">
                        <span class="grow">The rules have changed since this game began.</span>
                        <button onClick={() => void begin(seats ?? position.seats)}>Play the new rules</button>
                    </div>
                </Notice>
            )}
            <Headline position={position} player={player} explain={() => void explainEnd()} reveal={() => void act({ do: "open" })} />
            <div class="table">
                <div class="middle">
                    {position.covered ? (
                        <div class="empty small cover">
                            <p>Something is hidden in this game: only {player(position.next)} may see this.</p>
                            <button class="main" onClick={() => void act({ do: "look" })}>I am {player(position.next)}: show it</button>
                        </div>
                    ) : (
                        <Boards position={position} moves={typed ?? moves} choice={chosen} click={click} look={look} ahead={ahead?.places ?? NONE} insight={seen} />
                    )}
                    {isBlind && <Empty>Something is hidden in this game, and no person plays it: nothing is shown while agents do. Choose “person” for a player to see what that one sees.</Empty>}
                    {position.boards.length > 0 && menu}
                    {answer && <Why answer={answer} close={() => setAnswer(null)} />}
                    <Beside position={position} changed={position.changed} clicks={{ moves: typed ?? moves, choice: chosen, click, look, mover: position.turn === null ? null : player(position.turn), players: position.players, ahead }} />
                    {/* Without a board, what was clicked stays where it is. */}
                    {position.boards.length === 0 && menu}
                </div>
                <div class="side">
                    {isThinking && <Evaluation position={position} insight={seen} isDone={isDone} />}
                    <MoveList moves={listed} position={position} make={make} explain={(text) => void explain(text)} read={read} narrow={setTyped} look={(move) => void lookAhead(move)} insight={seen} />
                    <Record position={position} player={player} goto={(ply) => void act({ do: "goto", ply })} />
                </div>
            </div>
            <Seats
                key={position.play}
                players={position.players}
                seats={position.seats}
                change={async (player, seat) => {
                    // Two changes may follow faster than an answer comes.
                    const chosen = (wanted.current ?? position.seats).map((other, at) => (at === player ? seat : other));
                    wanted.current = chosen;
                    const isDone = await act({ do: "seats", seats: chosen });
                    if (wanted.current === chosen) wanted.current = null;
                    // What was refused is not asked for with the next game either.
                    if (isDone) setSeats(chosen);
                    return isDone;
                }}
            />
        </div>
    );
}
