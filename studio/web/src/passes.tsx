// What the passes do: every run, its sizes and time, and the game before and after it.

import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { syntaxHighlighting } from "@codemirror/language";
import { classHighlighter } from "@lezer/highlight";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Drawing, useCanvas } from "./canvas";
import { nonce } from "./editor";
import { useJob } from "./job";
import { languageOf } from "./language";
import { Drop, Empty, Notice, Trouble, grouped } from "./parts";
import { failureOf, isOutdated } from "./rpc";
import { Chart, List, sizes, type Chosen } from "./runs";
import { useStore } from "./store";
import type { Failure, Guilty, Looked, Runs, Verified } from "./types";

type Form = "text" | "drawing";

export function PassesPanel() {
    const store = useStore();
    const { good, open } = store;
    const [level, setLevel] = useState(2);
    const [without, setWithout] = useState<string[]>([]);
    const [order, setOrder] = useState<string[]>([]);
    const [verdict, setVerdict] = useState<Verified | null>(null);
    const verifying = useJob((kind, what: Verified) => kind === "verdict" && setVerdict(what));
    const [runs, setRuns] = useState<Runs | null>(null);
    const [all, setAll] = useState(false);
    const [chosen, setChosen] = useState<Chosen>({ number: null, since: null });
    const [looked, setLooked] = useState<Looked | null>(null);
    const [form, setForm] = useState<Form>("text");
    const [failure, setFailure] = useState<Failure | null>(null);
    const [isBusy, setBusy] = useState(false);
    const asked = useRef(0);
    const isShown = store.panel === "passes";

    useEffect(() => {
        if (!isShown || !open || !good) return;
        const own = ++asked.current;
        setBusy(true);
        setVerdict(null);
        store.connection
            .request<Runs>("passes.run", { game: open.game, version: good.version, level, without, order })
            .then((next) => {
                if (own !== asked.current) return;
                setRuns(next);
                setFailure(null);
                setChosen((chosen) => kept(chosen, next.runs));
            })
            .catch((error) => own === asked.current && !isOutdated(error) && setFailure(failureOf(error)))
            .finally(() => own === asked.current && setBusy(false));
    }, [isShown, good?.version, level, without, order]);
    const { number, since } = chosen;
    useEffect(() => {
        if (!isShown || !open || number === null || !runs) return setLooked(null);
        let isWanted = true;
        store.connection
            .request<Looked>("passes.step", { game: open.game, version: runs.version, level, without, order, number, since, draw: form === "drawing" })
            .then((next) => isWanted && setLooked(next))
            .catch((error) => isWanted && !isOutdated(error) && setFailure(failureOf(error)));
        return () => void (isWanted = false);
    }, [isShown, runs, number, since, form]);

    if (!open) return <Empty>Open a game to see what the passes do.</Empty>;
    if (failure) return <Trouble failure={failure} dismiss={() => setFailure(null)} />;
    if (!runs) return <Empty>{good ? "Running the passes…" : "The passes run once the text has no errors."}</Empty>;
    const shown = all ? runs.runs : runs.runs.filter((run) => run.changed);
    const choose = (number: number, isFurther = false) => setChosen((before) => ({ number, since: isFurther ? (before.since ?? before.number) : null }));
    const [first, last] = [Math.min(number ?? 0, since ?? number ?? 0), Math.max(number ?? 0, since ?? number ?? 0)];
    const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
    const passes = [...runs.passes].sort((one, other) => rank(one.name) - rank(other.name));
    const earlier = (at: number) => {
        const names = passes.map((pass) => pass.name);
        names.splice(at - 1, 2, ...names.slice(at - 1, at + 1).reverse());
        setOrder(names);
    };
    const verify = () => {
        setVerdict(null);
        verifying.start("passes.verify", { game: open.game, version: runs.version, level, without, order });
    };
    return (
        <div class="passes">
            <div class="toolbar" role="toolbar" aria-label="Passes">
                <label>
                    level
                    <select value={level} onChange={(event) => { setLevel(Number(event.currentTarget.value)); setWithout([]); setOrder([]); }}>
                        {[1, 2, 3].map((number) => <option key={number} value={number}>-O{number}</option>)}
                    </select>
                </label>
                <Drop name={`passes${without.length > 0 ? ` (${without.length} off)` : ""}${order.length > 0 ? " (in another order)" : ""}`}>
                    <div class="row end">
                        <button onClick={() => setWithout([])} disabled={without.length === 0}>All on</button>
                        <button onClick={() => setWithout(passes.map((pass) => pass.name))} disabled={without.length === passes.length}>All off</button>
                        <button onClick={() => setOrder([])} disabled={order.length === 0}>Usual order</button>
                    </div>
                    <div class="names" style={{ gridTemplateRows: `repeat(${Math.ceil(passes.length / 2)}, auto)` }}>
                        {passes.map((pass, at) => (
                            <div key={pass.name} class="row">
                                <label class="grow" title={pass.summary}>
                                    <input
                                        type="checkbox"
                                        checked={!without.includes(pass.name)}
                                        onChange={(event) => setWithout(event.currentTarget.checked ? without.filter((name) => name !== pass.name) : [...without, pass.name])}
                                    />
                                    {pass.name}
                                </label>
                                <button class="icon" aria-label={`${pass.name} earlier`} title="Run it before the pass above" disabled={at === 0} onClick={() => earlier(at)}>↑</button>
                            </div>
                        ))}
                    </div>
                </Drop>
                <label><input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} /> runs without effect</label>
                {verifying.isRunning ? (
                    <button class="stop" onClick={verifying.stop}>Stop</button>
                ) : (
                    <button title="Play the game before and after the passes in lock step, and find the run after which it is another game" onClick={verify}>Verify</button>
                )}
                <span class="grow" />
                <span class="steps">
                    <button aria-pressed={form === "text"} onClick={() => setForm("text")}>text</button>
                    <button aria-pressed={form === "drawing"} onClick={() => setForm("drawing")}>drawing</button>
                </span>
            </div>
            {verifying.failure && <Trouble failure={verifying.failure} />}
            {verdict?.guilty && <Verdict guilty={verdict.guilty} choose={choose} leave={(pass) => setWithout([...without, pass])} />}
            <p class="figures facts" role="status">
                {sizes(runs)}
                {isBusy && " · running…"}
                {verdict?.compared && <b class="verdict"> · no difference was found: {verdict.compared.replace(/\d+/g, (count) => grouped(Number(count)))} are the same</b>}
                {first !== last ? ` · runs ${first} to ${last} together` : runs.runs.length > 1 && " · Shift-click shows several runs"}
            </p>
            <Chart runs={runs} number={number} choose={choose} />
            <List runs={shown} chosen={chosen} choose={choose} more />
            <div class="looked">
                {looked && form === "text" && <Difference key={`${first} ${looked.number}`} before={looked.before} after={looked.after} />}
                {looked && form === "drawing" && (looked.svg ? <Union looked={looked} /> : <Notice kind="info">{looked.large ?? "drawing…"}</Notice>)}
                {!looked && <Empty>{number === null ? "Choose a run." : "…"}</Empty>}
            </div>
        </div>
    );
}

/** What is chosen of other runs: the same run if it still changes something, and else the last one before it that does, or the first one. */
function kept({ number, since }: Chosen, runs: Runs["runs"]): Chosen {
    const changed = runs.filter((run) => run.changed).map((run) => run.number);
    const near = (number: number) => changed.filter((other) => other <= number).at(-1) ?? changed[0] ?? null;
    return { number: number === null ? (changed[0] ?? null) : near(number), since: since === null ? null : near(since) };
}

/** The run that makes another game of it. */
function Verdict(props: { guilty: Guilty; choose: (number: number) => void; leave: (pass: string) => void }) {
    const { guilty, choose, leave } = props;
    const [isShown, setShown] = useState(true);
    const { pass, number, change, difference, texts, comparisons } = guilty;
    const [before, after] = texts;
    return (
        <Notice kind="bad">
            <div class="row">
                <span class="grow"><b>{pass}</b> makes another game of it, with change {change[0]} of {change[1]}: {difference} <span class="figures">(found with {comparisons} comparisons)</span></span>
                <button aria-pressed={isShown} onClick={() => setShown(!isShown)}>What it changed</button>
                {number !== null && <button onClick={() => choose(number)}>Show the run</button>}
                <button onClick={() => leave(pass)}>Switch it off</button>
            </div>
            {isShown && <Difference before={before} after={after} />}
        </Notice>
    );
}

/** The least width in which two texts have room beside each other. */
const ROOM = 600;

/** The text of the game before and after: side by side, or in a narrow panel as one text. */
function Difference({ before, after }: { before: string; after: string }) {
    const box = useRef<HTMLDivElement>(null);
    const [isNarrow, setNarrow] = useState(false);
    useLayoutEffect(() => {
        const look = () => setNarrow((box.current?.clientWidth ?? ROOM) < ROOM);
        look();
        const observer = new ResizeObserver(look);
        if (box.current) observer.observe(box.current);
        return () => observer.disconnect();
    }, []);
    useEffect(() => {
        if (!box.current) return;
        const colours = languageOf("rg");
        const extensions = [
            EditorView.cspNonce.of(nonce),
            lineNumbers(),
            syntaxHighlighting(classHighlighter),
            EditorState.readOnly.of(true),
            // Half a panel is narrow.
            EditorView.lineWrapping,
            ...(colours ? [colours] : []),
        ];
        const side = (doc: string, name: string) => ({ doc, extensions: [...extensions, EditorView.contentAttributes.of({ "aria-label": name })] });
        const options = { collapseUnchanged: { margin: 2, minSize: 5 }, diffConfig: { scanLimit: 2000, timeout: 300 } };
        const { doc, extensions: own } = side(after, isNarrow ? "Before and after the run" : "After the run");
        const view = isNarrow
            ? new EditorView({ doc, extensions: [...own, unifiedMergeView({ original: before, mergeControls: false, ...options })], parent: box.current })
            : new MergeView({ a: side(before, "Before the run"), b: { doc, extensions: own }, parent: box.current, ...options });
        return () => view.destroy();
    }, [before, after, isNarrow]);
    return <div class="code difference" ref={box} tabIndex={0} role="region" aria-label="What has changed" />;
}

/** Both automata in one drawing. */
function Union({ looked }: { looked: Looked }) {
    const canvas = useCanvas();
    const [count, setCount] = useState(0);
    useEffect(() => {
        if (!looked.svg) return;
        canvas.draw(looked.svg, looked.heads, false);
        const changed = [...(canvas.box.current?.querySelectorAll<SVGGraphicsElement>(".n.removed, .n.added, .a.removed, .a.added, text.removed, text.added") ?? [])];
        setCount(changed.length);
        canvas.reveal(changed[0]);
    }, [looked]);
    return (
        <>
            <p class="figures facts">
                <span class="key removed">removed</span> <span class="key added">added</span> <span class="key">in both</span>
                {count === 0 && " · nothing in the automaton has changed: what has is in the text"}
            </p>
            <Drawing canvas={canvas} name="Both automata" kind="union" />
        </>
    );
}
