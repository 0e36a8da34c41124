// A drawing of an automaton in which one can move about, on the page of a studio and on pages without a server.

import { useRef } from "preact/hooks";
import { Viewport } from "./viewport";

/** A drawing, and what can be done with it. */
export class Canvas {
    readonly box: { current: HTMLDivElement | null } = { current: null };
    private viewport: Viewport | null = null;

    /** Another drawing, with the arrow heads that it uses; it is shown from where the one before was, if that is wanted. */
    draw(svg: string, heads: string, stay: boolean): void {
        if (!this.box.current) return;
        this.viewport ??= new Viewport(this.box.current);
        this.viewport.draw(svg, heads, stay);
    }

    /** The box of a node. */
    node(name: string): SVGGraphicsElement | null {
        return this.box.current?.querySelector<SVGGraphicsElement>(`[data-node="${CSS.escape(name)}"]`) ?? null;
    }

    /** The arrows between two boxes. */
    arrows(from: string, to: string): SVGGraphicsElement[] {
        return [...(this.box.current?.querySelectorAll<SVGGraphicsElement>(`path[data-from="${CSS.escape(from)}"][data-to="${CSS.escape(to)}"]`) ?? [])];
    }

    /** Gives parts a class, and takes it from all others. */
    mark(name: string, parts: Iterable<Element | null>): void {
        this.box.current?.querySelectorAll(`.${name}`).forEach((part) => part.classList.remove(name));
        for (const part of parts) part?.classList.add(name);
    }

    /** Brings parts into view: one into the middle, several so that all are seen, as far as they can be read then. */
    reveal(...parts: (SVGGraphicsElement | null | undefined)[]): void {
        this.viewport?.reveal(parts.filter((part) => part !== null && part !== undefined));
    }

    /** All of it. */
    fit(): void {
        this.viewport?.fit();
    }

    zoom(factor: number): void {
        this.viewport?.zoom(factor);
    }
}

/** A drawing that stays the same while a component is there. */
export function useCanvas(): Canvas {
    const canvas = useRef<Canvas | null>(null);
    return (canvas.current ??= new Canvas());
}

/** Buttons that make a drawing smaller and larger. */
export function Zoom({ canvas }: { canvas: Canvas }) {
    return (
        <span class="steps">
            <button class="icon" aria-label="Smaller" onClick={() => canvas.zoom(0.8)}>−</button>
            <button class="icon" aria-label="The whole automaton" title="The whole automaton (0)" onClick={() => canvas.fit()}>▢</button>
            <button class="icon" aria-label="Larger" onClick={() => canvas.zoom(1.25)}>+</button>
        </span>
    );
}

interface Drawn {
    canvas: Canvas;
    name: string;
    kind?: string;
    /** Is told which node is clicked. */
    choose?: (node: string) => void;
    /** Is told between which nodes an arrow is that is clicked, and the line of its label, if that is. */
    follow?: (from: string, to: string, label: string | null) => void;
}

/** The drawing itself. */
export function Drawing({ canvas, name, kind, choose, follow }: Drawn) {
    return (
        <div
            class={["canvas", kind, follow && "follows"].filter(Boolean).join(" ")}
            ref={canvas.box}
            tabIndex={0}
            role="application"
            aria-label={`${name}: arrows move it, + and - zoom, 0 shows all`}
            onClick={(event) => {
                const part = (event.target as Element).closest<SVGElement>("[data-node], [data-from]");
                const { node, from, to } = part?.dataset ?? {};
                if (node !== undefined) choose?.(node);
                else if (from !== undefined && to !== undefined) follow?.(from, to, part?.localName === "text" ? part.textContent : null);
            }}
        />
    );
}
