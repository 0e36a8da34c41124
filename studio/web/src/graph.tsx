// The automaton: regions that fold, a search, links to the text and back, and what the last move crosses.

import { useEffect, useRef, useState } from "preact/hooks";
import { Drawing, Zoom, useCanvas } from "./canvas";
import { Drop, Empty, Trouble, grouped } from "./parts";
import { failureOf, isOutdated } from "./rpc";
import { nodesHere, nodesWith } from "./search";
import { useStore } from "./store";
import type { Drawn, Failure, Walk } from "./types";

/** Without a list, the server says which regions are open. */
type Open = string[] | null;

/** What a search has found: the nodes, and the one that is chosen. */
interface Found {
    text: string;
    nodes: string[];
    at: number;
}

const NOWHERE: Walk = { made: [], answers: [] };

export function GraphPanel() {
    const store = useStore();
    const { good, open: game, playing } = store;
    const [level, setLevel] = useState(0);
    const [open, setOpen] = useState<Open>(null);
    const [analysis, setAnalysis] = useState("");
    const [drawn, setDrawn] = useState<Drawn | null>(null);
    const [failure, setFailure] = useState<Failure | null>(null);
    const [search, setSearch] = useState("");
    const [found, setFound] = useState<Found | null>(null);
    const [selected, setSelected] = useState<string | null>(null);
    const [remark, setRemark] = useState("");
    const [isBusy, setBusy] = useState(false);
    const [walk, setWalk] = useState<Walk>(NOWHERE);
    const canvas = useCanvas();
    const before = useRef("");
    const asked = useRef(0);

    const isShown = store.panel === "graph";
    const draw = async (reveal?: string) => {
        if (!game || !good) return;
        const number = ++asked.current;
        setBusy(true);
        try {
            const params = { game: game.game, version: good.version, level, open, analysis: analysis || null, reveal: reveal ?? null };
            const next = await store.connection.request<Drawn>("graph", params);
            if (number !== asked.current) return;
            setDrawn(next);
            setFailure(null);
            if (reveal) setSelected(reveal);
        } catch (error) {
            if (number === asked.current && !isOutdated(error)) setFailure(failureOf(error));
        } finally {
            if (number === asked.current) setBusy(false);
        }
    };
    useEffect(() => {
        if (isShown) void draw();
    }, [isShown, good?.version, level, open, analysis]);

    const boxes = new Map(drawn?.boxes);
    const boxOf = (node: string) => boxes.get(node) ?? node;
    const element = (node: string) => canvas.node(boxOf(node));
    const onWay = (steps: Walk["made"]) => [...new Set(steps.flatMap((step) => step.map(element)))];
    const arrows = (steps: Walk["made"]) => steps.flatMap(([from, to]) => canvas.arrows(boxOf(from), boxOf(to)));
    useEffect(() => {
        const key = `${level} ${game?.game}`;
        canvas.draw(drawn?.svg ?? "", drawn?.heads ?? "", before.current === key);
        if (drawn) before.current = key;
    }, [drawn]);
    // The walk of the last move belongs to the automaton as it was translated.
    useEffect(() => {
        setWalk(NOWHERE);
        if (!isShown || !playing || level !== 0) return;
        const params = { play: playing.play, do: "walk" };
        store.connection.request<Walk>("play.do", params).then(setWalk, () => setWalk(NOWHERE));
    }, [isShown, playing?.play, playing?.ply, level]);
    useEffect(() => {
        const made = [...onWay(walk.made), ...arrows(walk.made)];
        canvas.mark("walked", made);
        canvas.mark("answered", [...onWay(walk.answers), ...arrows(walk.answers)].filter((part) => !made.includes(part)));
    }, [walk, drawn]);
    const showWalk = () => canvas.reveal(...onWay(walk.made), ...onWay(walk.answers));
    useEffect(showWalk, [walk, drawn === null]);
    useEffect(() => {
        const node = selected ? element(selected) : null;
        canvas.mark("selected", [node]);
        canvas.reveal(node);
    }, [selected, drawn]);
    // The nodes of the place where the cursor of the editor is.
    useEffect(() => {
        const follow = () => {
            canvas.mark("here", drawn ? nodesHere(drawn, store.cursor).map(element) : []);
            setRemark("");
        };
        follow();
        addEventListener("cursor", follow);
        return () => removeEventListener("cursor", follow);
    }, [drawn]);

    if (!game) return <Empty>Open a game to see its automaton.</Empty>;
    const region = (name: string | null) => drawn?.regions.find((region) => region.name === name);
    const opened = drawn?.regions.filter((region) => region.open).map((region) => region.name) ?? [];
    const place = (node: string) => drawn?.places.find(([name]) => name === node);
    const choose = (node: string) => {
        const folded = region(node);
        setSelected(node);
        setFound(null);
        if (folded && !folded.open) return setOpen([...opened, node]);
        const found = place(node);
        if (found) store.set({ goto: { from: found[1], to: found[2] } });
    };
    /** Shows where an edge is written: the one with this label, or else the first one of the arrow. */
    const follow = (from: string, to: string, label: string | null) => {
        const edges = drawn?.arrows.filter(([source, target]) => source === from && target === to) ?? [];
        const edge = edges.find(([, , text]) => text === label) ?? edges.find(([, , text]) => label !== null && text.includes(label)) ?? edges[0];
        setFound(null);
        if (edge) store.set({ goto: { from: edge[3], to: edge[4] } });
        else setRemark("this edge was made of no place in the rules");
    };
    /** Shows a node, and opens the regions around it. */
    const show = (node: string) => {
        if (boxOf(node) !== node) void draw(node);
        else setSelected(node);
    };
    const showHere = () => {
        const nodes = drawn ? nodesHere(drawn, store.cursor) : [];
        const [first] = nodes;
        if (first === undefined) return setRemark("no node was made of the place where the cursor is");
        setRemark("");
        if (boxOf(first) !== first) show(first);
        else canvas.reveal(...nodes.map(element));
    };
    const find = (event: Event) => {
        event.preventDefault();
        if (!drawn || !search.trim()) return;
        const nodes = nodesWith(drawn, good?.text ?? "", search);
        const isSame = found?.text === search && found.nodes.length === nodes.length;
        const at = isSame ? (found.at + 1) % Math.max(1, nodes.length) : 0;
        setFound({ text: search, nodes, at });
        const next = nodes[at];
        if (next === undefined) setSelected(null);
        else show(next);
    };
    /** Opens or folds all regions; what is shown then begins at the beginning. */
    const all = (regions: string[]) => {
        before.current = "";
        setSelected(null);
        setOpen(regions);
    };
    const chosen = region(selected);
    const count = walk.made.length;
    return (
        <div class="graph">
            <div class="toolbar" role="toolbar" aria-label="Automaton">
                <label>
                    optimised
                    <select value={level} onChange={(event) => { setLevel(Number(event.currentTarget.value)); setOpen(null); }}>
                        {["not at all", "-O1", "-O2", "-O3"].map((name, number) => <option key={number} value={number}>{name}</option>)}
                    </select>
                </label>
                <label>
                    analysis
                    <select value={analysis} onChange={(event) => setAnalysis(event.currentTarget.value)}>
                        <option value="">none</option>
                        {drawn?.analyses.map(([name, summary]) => <option key={name} value={name} title={summary}>{name}</option>)}
                    </select>
                </label>
                <form onSubmit={find}>
                    <input
                        type="search"
                        list="nodes"
                        placeholder="Find…"
                        aria-label="Find in the automaton"
                        title="Names of nodes, labels of edges, and words of the rules; Enter goes to the next one"
                        value={search}
                        onInput={(event) => { setSearch(event.currentTarget.value); setFound(null); }}
                    />
                    <datalist id="nodes">{search && drawn?.boxes.slice(0, 2000).map(([node]) => <option key={node} value={node} />)}</datalist>
                </form>
                <button onClick={showHere} disabled={!drawn} title="Show the nodes of the place where the cursor is in the rules">At the cursor</button>
                <Zoom canvas={canvas} />
                <Legend analyses={drawn?.analyses ?? []} />
                {drawn && drawn.regions.length > 0 && (
                    <>
                        <button onClick={() => all([])} disabled={opened.length === 0}>Fold all</button>
                        <button onClick={() => all(drawn.regions.map((region) => region.name))} disabled={opened.length === drawn.regions.length}>Open all</button>
                    </>
                )}
            </div>
            {failure && (
                <div class="row">
                    <div class="grow"><Trouble failure={failure} dismiss={() => setFailure(null)} /></div>
                    {open?.length !== 0 && <button onClick={() => setOpen([])}>Fold all regions</button>}
                </div>
            )}
            <p class="figures facts" role="status">
                {drawn ? `${grouped(drawn.nodes)} nodes, ${grouped(drawn.edges)} edges` : good || !store.checked ? "drawing…" : "The automaton is drawn once the text has no errors."}
                {isBusy && drawn && ", drawing…"}
                {count > 0 && (
                    <>
                        {" · "}
                        <button class="link walk-key" title="Show the walk" onClick={showWalk}>the last move crosses {count} edges</button>
                        {walk.answers.length > 0 && <button class="link answer-key" title="What the rules do by themselves behind the move; show it" onClick={() => canvas.reveal(...onWay(walk.answers))}>and the keeper {walk.answers.length} behind it</button>}
                    </>
                )}
                {level > 0 && playing && playing.ply > 0 && " · walks of moves are shown without optimisation"}
                {found && (found.nodes.length > 0 ? ` · ${found.at + 1} of ${found.nodes.length} found` : <b> · neither nodes, labels nor rules have “{found.text}”</b>)}
                {remark && ` · ${remark}`}
                {selected && ` · ${selected}`}
                {chosen?.open && <button class="link" onClick={() => setOpen(opened.filter((name) => name !== selected))}>fold its region</button>}
            </p>
            <Drawing canvas={canvas} name="Automaton" choose={choose} follow={follow} />
        </div>
    );
}

/** What lines and boxes mean. */
const LINES: [string, string][] = [
    ["switch", "ends a move: another player, or the keeper, goes on"],
    ["tag", "$: names a part of the move"],
    ["test", "a comparison, which has to hold"],
    ["check", "? and !: whether there is a way, or none, from one node to another"],
    ["enter", "from a check to where its way begins"],
    ["change", "an assignment"],
    ["skip", "nothing happens"],
];
const BOXES: [string, string][] = [
    ["folded", "a region that is folded; a click opens it"],
    ["r0", "nodes of one colour belong to one region"],
    ["walked", "what the last move crosses"],
    ["answered", "what the keeper crosses behind it"],
    ["here", "made of the place where the cursor is"],
    ["selected", "chosen here"],
];

function Legend({ analyses }: { analyses: [string, string][] }) {
    return (
        <Drop name="legend" kind="meaning">
            <dl class="canvas">
                {LINES.map(([kind, meaning]) => (
                    <div key={kind}>
                        <dt><svg viewBox="0 0 40 12"><path class={`a ${kind}`} d="M2 6L38 6" /></svg></dt>
                        <dd>{meaning}</dd>
                    </div>
                ))}
                {BOXES.map(([kind, meaning]) => (
                    <div key={kind}>
                        <dt><svg viewBox="0 0 40 16"><g class={`sample n ${kind}`}><rect x="6" y="3" width="28" height="10" rx="3" /></g></svg></dt>
                        <dd>{meaning}</dd>
                    </div>
                ))}
                {analyses.map(([name, meaning]) => <div key={name}><dt>{name}</dt><dd>{meaning}</dd></div>)}
            </dl>
        </Drop>
    );
}
