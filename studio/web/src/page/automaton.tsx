// Drawings of the automaton: another one for each region that is opened.

import { useEffect, useState } from "preact/hooks";
import { Drawing, Zoom, useCanvas } from "../canvas";
import type { Drawings, Range } from "./types";

export function Automaton(props: { automaton: Drawings; line: Range | null; choose: (range: Range | null) => void }) {
    const { automaton, line, choose } = props;
    const { drawings, places } = automaton;
    const [open, setOpen] = useState<string | null>(null);
    const [selected, setSelected] = useState<string | null>(null);
    const canvas = useCanvas();
    const drawing = drawings.find((drawing) => drawing.open === open) ?? drawings[0];
    useEffect(() => {
        if (drawing) canvas.draw(drawing.svg, automaton.heads, false);
    }, [drawing]);
    useEffect(() => {
        const found = selected ? canvas.node(selected) : null;
        canvas.mark("selected", [found]);
        canvas.reveal(found);
    }, [selected, drawing]);
    useEffect(() => {
        const here = line ? places.filter(([, from]) => line.from <= from && from <= line.to) : [];
        const found = [...new Set(here.map(([node]) => canvas.node(node)))];
        canvas.mark("here", found);
        canvas.reveal(...found);
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
                <Zoom canvas={canvas} />
                {open && <button onClick={() => setOpen(drawing?.around ?? null)}>Fold</button>}
            </div>
            <p class="figures facts" role="status">
                {automaton.nodes} nodes, {automaton.edges} edges
                {drawings.length > 1 && " · a click on a dark box opens it"}
                {automaton.missing > 0 && ` · ${automaton.missing} regions are too large for this page`}
                {selected && ` · ${selected}`}
            </p>
            <Drawing canvas={canvas} name="Automaton" choose={click} />
        </div>
    );
}
