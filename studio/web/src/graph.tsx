// The automaton: regions that fold, a search, links to the text and back, and what the last move crosses.

import { useEffect, useRef, useState } from "preact/hooks";
import { Empty, Trouble } from "./parts";
import { failureOf, isOutdated } from "./rpc";
import { useStore } from "./store";
import type { Drawn, Failure } from "./types";
import { Viewport } from "./viewport";

/** Without a list, the server says which regions are open. */
type Open = string[] | null;

export function GraphPanel() {
    const store = useStore();
    const { good, open: game, playing } = store;
    const [level, setLevel] = useState(0);
    const [open, setOpen] = useState<Open>(null);
    const [analysis, setAnalysis] = useState("");
    const [drawn, setDrawn] = useState<Drawn | null>(null);
    const [failure, setFailure] = useState<Failure | null>(null);
    const [search, setSearch] = useState("");
    const [selected, setSelected] = useState<string | null>(null);
    const [isBusy, setBusy] = useState(false);
    const [walk, setWalk] = useState<[string, string][]>([]);
    const box = useRef<HTMLDivElement>(null);
    const viewport = useRef<Viewport | null>(null);
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
    const element = (node: string) => box.current?.querySelector<SVGGraphicsElement>(`[data-node="${CSS.escape(boxes.get(node) ?? node)}"]`) ?? null;
    useEffect(() => {
        if (!box.current) return;
        viewport.current ??= new Viewport(box.current);
        const key = `${level} ${game?.game}`;
        viewport.current.draw(drawn?.svg ?? "", drawn?.heads ?? "", before.current === key);
        if (drawn) before.current = key;
    }, [drawn]);
    // The walk of the last move belongs to the automaton as it was translated.
    useEffect(() => {
        setWalk([]);
        if (!isShown || !playing || level !== 0) return;
        const params = { play: playing.play, do: "walk" };
        store.connection.request<[string, string][]>("play.do", params).then(setWalk, () => setWalk([]));
    }, [isShown, playing?.play, playing?.ply, level]);
    useEffect(() => {
        const all = box.current?.querySelectorAll(".walked") ?? [];
        all.forEach((part) => part.classList.remove("walked"));
        for (const [from, to] of walk) {
            const [a, b] = [boxes.get(from) ?? from, boxes.get(to) ?? to];
            element(from)?.classList.add("walked");
            element(to)?.classList.add("walked");
            box.current?.querySelectorAll(`path[data-from="${CSS.escape(a)}"][data-to="${CSS.escape(b)}"]`).forEach((path) => path.classList.add("walked"));
        }
    }, [walk, drawn]);
    useEffect(() => {
        box.current?.querySelectorAll(".selected").forEach((part) => part.classList.remove("selected"));
        if (!selected) return;
        const found = element(selected);
        found?.classList.add("selected");
        if (found) viewport.current?.reveal(found);
    }, [selected, drawn]);
    // The nodes of the place where the cursor of the editor is.
    useEffect(() => {
        const follow = () => {
            box.current?.querySelectorAll(".here").forEach((part) => part.classList.remove("here"));
            if (!drawn) return;
            const around = drawn.places.filter(([, from, to]) => from <= store.cursor && store.cursor <= to);
            const least = around.reduce((least, [, from, to]) => Math.min(least, to - from), Infinity);
            const nodes = new Set(around.filter(([, from, to]) => to - from === least).map(([node]) => node));
            for (const node of nodes) element(node)?.classList.add("here");
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
        if (folded && !folded.open) {
            setSelected(node);
            setOpen([...opened, node]);
            return;
        }
        setSelected(node);
        const found = place(node);
        if (found) store.set({ goto: { from: found[1], to: found[2] } });
    };
    const find = (event: Event) => {
        event.preventDefault();
        const fitting = drawn?.boxes.map(([node]) => node).filter((node) => node.toLowerCase().includes(search.toLowerCase())) ?? [];
        const exact = fitting.indexOf(search);
        const next = exact >= 0 && selected !== search ? search : fitting[(fitting.indexOf(selected ?? "") + 1) % Math.max(1, fitting.length)];
        if (!next) return;
        if (boxes.get(next) !== next) void draw(next);
        else setSelected(next);
    };
    const chosen = region(selected);
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
                    notes
                    <select value={analysis} onChange={(event) => setAnalysis(event.currentTarget.value)}>
                        <option value="">none</option>
                        {drawn?.analyses.map(([name, summary]) => <option key={name} value={name} title={summary}>{name}</option>)}
                    </select>
                </label>
                <form onSubmit={find}>
                    <input type="search" list="nodes" placeholder="Find a node" aria-label="Find a node" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
                    <datalist id="nodes">{search && drawn?.boxes.slice(0, 2000).map(([node]) => <option key={node} value={node} />)}</datalist>
                </form>
                <span class="steps">
                    <button class="icon" aria-label="Smaller" onClick={() => viewport.current?.zoom(0.8)}>−</button>
                    <button class="icon" aria-label="The whole automaton" title="The whole automaton" onClick={() => viewport.current?.fit()}>▢</button>
                    <button class="icon" aria-label="Larger" onClick={() => viewport.current?.zoom(1.25)}>+</button>
                </span>
                {drawn && drawn.regions.length > 0 && (
                    <>
                        <button onClick={() => setOpen([])} disabled={opened.length === 0}>Fold all</button>
                        <button onClick={() => setOpen(drawn.regions.map((region) => region.name))} disabled={opened.length === drawn.regions.length}>Open all</button>
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
                {drawn ? `${drawn.nodes} nodes, ${drawn.edges} edges` : "drawing…"}
                {isBusy && drawn && ", drawing…"}
                {walk.length > 0 && <span class="walk-key"> · the last move crosses {walk.length} edges</span>}
                {level > 0 && playing && playing.ply > 0 && " · walks of moves are shown without optimisation"}
                {selected && ` · ${selected}`}
                {chosen?.open && <button class="link" onClick={() => setOpen(opened.filter((name) => name !== selected))}>fold its region</button>}
            </p>
            <div
                class="canvas"
                ref={box}
                tabIndex={0}
                role="application"
                aria-label="Automaton: arrows move it, + and - zoom, 0 shows all"
                onClick={(event) => {
                    const node = (event.target as Element).closest<SVGElement>("[data-node]")?.dataset.node;
                    if (node !== undefined) choose(node);
                }}
            />
        </div>
    );
}
