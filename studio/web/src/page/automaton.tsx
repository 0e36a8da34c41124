// Drawings of the automaton: another one for each region that is opened.

import { useEffect, useRef, useState } from "preact/hooks";
import { Viewport } from "../viewport";
import type { Drawings, Range } from "./types";

export function Automaton(props: { automaton: Drawings; line: Range | null; choose: (range: Range | null) => void }) {
    const { automaton, line, choose } = props;
    const { drawings, places } = automaton;
    const [open, setOpen] = useState<string | null>(null);
    const [selected, setSelected] = useState<string | null>(null);
    const box = useRef<HTMLDivElement>(null);
    const viewport = useRef<Viewport | null>(null);
    const drawing = drawings.find((drawing) => drawing.open === open) ?? drawings[0];
    const element = (node: string) => box.current?.querySelector<SVGGraphicsElement>(`[data-node="${CSS.escape(node)}"]`) ?? null;
    useEffect(() => {
        if (!box.current || !drawing) return;
        viewport.current ??= new Viewport(box.current);
        viewport.current.draw(drawing.svg, automaton.heads, false);
    }, [drawing]);
    useEffect(() => {
        box.current?.querySelectorAll(".selected").forEach((part) => part.classList.remove("selected"));
        const found = selected ? element(selected) : null;
        found?.classList.add("selected");
        if (found) viewport.current?.reveal(found);
    }, [selected, drawing]);
    useEffect(() => {
        box.current?.querySelectorAll(".here").forEach((part) => part.classList.remove("here"));
        if (!line) return;
        const nodes = new Set(places.filter(([, from]) => line.from <= from && from <= line.to).map(([node]) => node));
        const found = [...nodes].flatMap((node) => element(node) ?? []);
        for (const part of found) part.classList.add("here");
        if (found[0]) viewport.current?.reveal(found[0]);
    }, [line, drawing]);
    const click = (node: string) => {
        setSelected(node);
        if (node !== open && drawings.some((drawing) => drawing.open === node)) return setOpen(node);
        const place = places.find(([name]) => name === node);
        choose(place ? { from: place[1], to: place[2] } : null);
    };
    return (
        <div class="graph">
            <div class="toolbar" role="toolbar" aria-label="Automaton">
                {drawings.length > 1 && (
                    <label>
                        open region
                        <select value={open ?? ""} onChange={(event) => setOpen(event.currentTarget.value || null)}>
                            <option value="">none</option>
                            {drawings.flatMap(({ open }) => (open ? [<option key={open} value={open}>{open}</option>] : []))}
                        </select>
                    </label>
                )}
                <span class="steps">
                    <button class="icon" aria-label="Smaller" onClick={() => viewport.current?.zoom(0.8)}>−</button>
                    <button class="icon" aria-label="The whole automaton" title="The whole automaton" onClick={() => viewport.current?.fit()}>▢</button>
                    <button class="icon" aria-label="Larger" onClick={() => viewport.current?.zoom(1.25)}>+</button>
                </span>
                {open && <button onClick={() => setOpen(drawing?.around ?? null)}>Fold</button>}
            </div>
            <p class="figures facts" role="status">
                {automaton.nodes} nodes, {automaton.edges} edges
                {drawings.length > 1 && " · a click on a dark box opens it"}
                {automaton.missing > 0 && ` · ${automaton.missing} regions are too large for this page`}
                {selected && ` · ${selected}`}
            </p>
            <div
                class="canvas"
                ref={box}
                tabIndex={0}
                role="application"
                aria-label="Automaton: arrows move it, + and - zoom, 0 shows all"
                onClick={(event) => {
                    const node = (event.target as Element).closest<SVGElement>("[data-node]")?.dataset.node;
                    if (node !== undefined) click(node);
                }}
            />
        </div>
    );
}
