// The boards: pictures from the server, whose places can be clicked, or reached and chosen by keys.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Board, Insight, Move, Position } from "./types";

/** How large coordinates are on the screen, and at least and at most in a picture, whose squares have 48. */
const LABEL = 11;
const SMALLEST = 6;
const LARGEST = 18;

const CLASSES = ["can", "chosen", "target", "last", "best", "ahead"];

/** Whether a move begins with clicks. */
export const begins = (move: Move, clicks: string[]) => clicks.every((label, at) => move.clicks[at] === label);

/** The clicks with which all of some moves begin, as far as each of them goes on behind these. */
export function shared(moves: Move[]): string[] {
    const least = moves.reduce((least, move) => Math.min(least, move.clicks.length - 1), Infinity);
    const [first] = moves;
    let length = 0;
    while (first && length < least && moves.every((move) => move.clicks[length] === first.clicks[length])) length += 1;
    return first?.clicks.slice(0, length) ?? [];
}

/** A place of a board: its label, where the board lies in a block, as moves name it, and the number of the board; that is not known of cells of tables. */
export interface Spot {
    label: string;
    outer: string | null;
    board: number | null;
}

/** Whether a move acts on a board. */
const actsOn = (move: Move, board: number | null) => board === null || move.boards.length === 0 || move.boards.includes(board);

/**
 * The clicks that a click on a place stands for, behind others: the place, and where its board lies in a block, before it the board, if moves name that.
 * Nothing if no move goes on there.
 */
export function onward(all: Move[], clicks: string[], { label, outer, board }: Spot): string[] | null {
    const moves = board === null ? all : all.filter((move) => actsOn(move, board));
    const goes = (more: string[]) => moves.some((move) => move.clicks.length >= clicks.length + more.length && begins(move, [...clicks, ...more]));
    if (outer !== null && goes([outer, label])) return [outer, label];
    if (outer !== null && clicks.at(-1) !== outer) return null;
    return goes([label]) ? [label] : null;
}

/** Whether a place is among clicks: in a block of boards, behind its board. */
function isAmong(clicks: string[], label: string, outer: string | null): boolean {
    if (outer === null) return clicks.includes(label);
    return clicks.some((click, at) => click === label && clicks[at - 1] === outer) || (clicks.length === 1 && clicks[0] === label);
}

interface Shown {
    position: Position;
    /** The moves that are offered, and the clicks that were chosen of them. */
    moves: Move[];
    choice: string[];
    /** `isTouched` where a finger, which cannot rest on a place before it, has done it. */
    click: (spot: Spot, isTouched: boolean) => void;
    /** The pointer or the keys are on a place, or on none any more. */
    look: (spot: Spot | null) => void;
    /** Places that the move would change on which the pointer is. */
    ahead: [number, string][];
    insight: Insight | null;
}

export function Boards({ position, moves, choice, click, look, ahead, insight }: Shown) {
    const box = useRef<HTMLDivElement>(null);
    // Pictures that change are replaced, and the keys would be nowhere: what has them is looked at before that.
    const focused = heldBy(box.current);
    const pictures = position.boards.map((board) => board.svg).join("");
    const groups = grouped(position.boards);
    /** The boards in the order in which they are on the page. */
    const order = groups.flat();
    useLayoutEffect(() => {
        const places = [...(box.current?.querySelectorAll<SVGElement>("[data-place]") ?? [])];
        const fitting = moves.filter((move) => begins(move, choice));
        const next = new Set(fitting.map((move) => move.clicks[choice.length]));
        const fittingOn = position.boards.map((_, board) => fitting.filter((move) => actsOn(move, board)));
        const isOf = (moves: Move[], board: number) => moves.length === 0 || moves.some((move) => actsOn(move, board));
        const changed = position.changed?.places ?? [];
        const changedOn = new Set(changed.map(([board]) => board));
        const changedAt = new Set(changed.map(([board, label]) => `${board} ${label}`));
        const best = insight?.moves.reduce((best, move) => (move.visits > best.visits ? move : best), insight.moves[0] ?? { i: -1, visits: 0, value: 0 });
        const top = position.moves.filter((move) => move.index === best?.i);
        const shown = top[0]?.clicks ?? [];
        const figures = [...(box.current?.querySelectorAll(".board") ?? [])];
        const pieces = new Map<Element | null, Map<string, string>>(figures.map((figure, at) => [figure, new Map(order[at]?.pieces)]));
        const changing = new Map<Element | null, Set<string>>(
            figures.map((figure, at) => [figure, new Set(ahead.filter(([board]) => position.boards[board] === order[at]).map(([, label]) => label))]),
        );
        const others = new Set(Object.entries(position.aliases).flatMap(([from, to]) => (next.has(to) ? [from] : [])));
        const acting = new Set<Element | null>();
        for (const place of places) {
            const label = place.dataset.place ?? "";
            const figure = place.closest(".board");
            const board = numberOf(figure);
            const outer = outerOf(place);
            const isNext = onward(fittingOn[board] ?? fitting, choice, { label, outer, board: null }) !== null;
            if (isNext) acting.add(figure);
            // Where several boards have the same labels, only those are meant on which something has changed.
            const isMarked = isAmong(position.marks, label, outer) && (outer !== null || changedOn.size === 0 || changedOn.has(board));
            const classes = {
                can: isNext && choice.length === 0,
                target: isNext && choice.length > 0,
                chosen: isAmong(choice, label, outer) && isOf(fitting, board),
                last: choice.length === 0 && (isMarked || changedAt.has(`${board} ${label}`)),
                best: isAmong(shown, label, outer) && isOf(top, board),
                ahead: changing.get(figure)?.has(label) ?? false,
            };
            place.classList.remove(...CLASSES);
            place.classList.add(...CLASSES.filter((name) => classes[name as keyof typeof classes]));
            place.classList.toggle("alias", others.has(label));
            const piece = pieces.get(figure)?.get(label);
            const name = piece === undefined ? label : `${label}: ${piece}`;
            place.setAttribute("role", "button");
            place.setAttribute("aria-label", name);
            title(place, name);
            place.setAttribute("tabindex", isNext ? "0" : "-1");
        }
        // Where moves act on some boards only, these stand out.
        figures.forEach((figure) => figure.classList.toggle("acting", acting.size < figures.length && acting.has(figure)));
        // Where nearly everything is possible, nothing needs to stand out.
        box.current?.classList.toggle("free", choice.length === 0 && 2 * next.size > new Set(places.map((place) => place.dataset.place)).size);
        if (focused && heldBy(box.current) === null) {
            const same = places.find((place) => place.dataset.place === focused.label && numberOf(place.closest(".board")) === focused.board);
            same?.focus({ preventScroll: true });
        }
    });
    useLayoutEffect(() => {
        const fit = () => box.current?.querySelectorAll<HTMLElement>(".board").forEach(fitLabels);
        fit();
        const observer = new ResizeObserver(fit);
        if (box.current) observer.observe(box.current);
        return () => observer.disconnect();
    }, [pictures]);
    const placeOf = (event: Event) => (event.target as Element).closest<SVGElement>("[data-place]");
    const over = (event: Event) => look(spotOf(placeOf(event)));
    const keys = (event: KeyboardEvent) => {
        const here = (event.target as Element).closest<SVGElement>("[data-place]");
        if (!here || !box.current) return;
        const [x, y] = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as Record<string, [number, number]>)[event.key] ?? [0, 0];
        if (x || y) {
            event.preventDefault();
            neighbour(box.current, here, x, y)?.focus();
        } else if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            const spot = spotOf(here);
            if (spot) click(spot, false);
        }
    };
    if (position.boards.length === 0) return null;
    const legend = Object.entries(Object.assign({}, ...position.boards.map((board) => board.legend ?? {})) as Record<string, string>);
    return (
        <div
            class="boards"
            ref={box}
            onClick={(event) => {
                const spot = spotOf(placeOf(event));
                if (spot) click(spot, (event as unknown as PointerEvent).pointerType === "touch");
            }}
            onKeyDown={keys}
            onFocusIn={over}
            onFocusOut={() => look(null)}
            onPointerOver={over}
            onPointerLeave={() => look(null)}
        >
            {groups.map((group, number) => <Group key={number} boards={group} numbers={group.map((board) => position.boards.indexOf(board))} isOnly={groups.length === 1} count={position.boards.length} all={pictures} />)}
            {legend.length > 0 && (
                <p class="legend figures">
                    pieces: {legend.map(([letter, name], at) => <span key={letter}>{at > 0 && ", "}<b>{letter}</b> = {name}</span>)}
                </p>
            )}
        </div>
    );
}

/** Boards of one name, of so many in all; those that lie in rows and columns are beside and below each other as they lie. */
function Group({ boards, numbers, isOnly, count, all }: { boards: Board[]; numbers: number[]; isOnly: boolean; count: number; all: string }) {
    const isBlock = boards.some((board) => board.block);
    const hasNames = !isOnly || (boards.length > 1 && !boards.some((board) => board.block?.[1]));
    const figures = boards.map((board, at) => (
        <figure
            key={at}
            class="board"
            data-number={numbers[at]}
            data-outer={board.outer ?? undefined}
            style={{ minWidth: `${leastWidth(board, count)}px`, ...(board.block ? { gridColumn: board.block[0] + 1, gridRow: board.block[1] + 1 } : {}) }}
        >
            {board.title && hasNames && <figcaption>{board.title}</figcaption>}
            <Picture svg={board.svg} all={all} />
        </figure>
    ));
    const isRow = boards.every((board) => board.block?.[1] === 0);
    return isBlock ? <div class={isRow ? "block row-of-boards" : "block"}>{figures}</div> : <>{figures}</>;
}

/** The boards by their names, without what tells those of one name apart; the order stays. */
function grouped(boards: Board[]): Board[][] {
    const groups = new Map<string, Board[]>();
    for (const [at, board] of boards.entries()) {
        const key = board.block ? (board.title.split("[")[0] ?? "") : `#${at}`;
        groups.set(key, [...(groups.get(key) ?? []), board]);
    }
    return [...groups.values()];
}

/** What is seen when the pointer rests on a place. */
function title(place: SVGElement, text: string): void {
    const known = place.querySelector(":scope > title");
    const made = known ?? document.createElementNS("http://www.w3.org/2000/svg", "title");
    if (made.textContent !== text) made.textContent = text;
    if (!known) place.append(made);
}

/** How wide a board has to be so that its places can be told apart and hit: half of what it is drawn with, or a third where there are more than two, so that two are beside each other, and no finger has to hit them. */
function leastWidth(board: Board, count: number): number {
    return Number(/viewBox="\S+ \S+ ([\d.]+)/.exec(board.svg)?.[1] ?? 0) / (count > 2 && !matchMedia("(pointer: coarse)").matches ? 3 : 2);
}

/** Makes coordinates about as large on the screen as other small text, as far as the margin of the board has room for them. */
function fitLabels(figure: HTMLElement): void {
    const svg = figure.querySelector("svg");
    const [, , wide, high] = svg?.getAttribute("viewBox")?.split(" ").map(Number) ?? [];
    if (!svg || !wide || !high) return;
    const { width, height } = svg.getBoundingClientRect();
    const scale = Math.min(width / wide, height / high);
    if (scale > 0) figure.style.setProperty("--label", `${Math.min(LARGEST, Math.max(SMALLEST, LABEL / scale)).toFixed(1)}px`);
}

/** The number of a board. */
function numberOf(figure: Element | null): number {
    return Number((figure as HTMLElement | null)?.dataset.number ?? 0);
}

/** A place of a picture. */
function spotOf(place: SVGElement | null): Spot | null {
    const label = place?.dataset.place;
    return place && label !== undefined ? { label, outer: outerOf(place), board: numberOf(place.closest(".board")) } : null;
}

/** The place inside of a box that has the keys. */
function heldBy(box: Element | null): Spot | null {
    const active = document.activeElement;
    return active && box?.contains(active) ? spotOf(active.closest<SVGElement>("[data-place]")) : null;
}

/** Where the board of a place lies in a block, as moves name it. */
function outerOf(place: Element): string | null {
    return place.closest<HTMLElement>(".board")?.dataset.outer ?? null;
}

/** A picture; it stays as it is while nothing on it changes. */
function Picture({ svg }: { svg: string; all: string }) {
    return <div class="picture" dangerouslySetInnerHTML={{ __html: svg }} />;
}

/** The nearest place in a direction. */
function neighbour(box: Element, here: Element, x: number, y: number): SVGElement | null {
    const middle = (element: Element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return [(left + right) / 2, (top + bottom) / 2] as const;
    };
    const [left, top] = middle(here);
    let best: SVGElement | null = null;
    let least = Infinity;
    for (const place of box.querySelectorAll<SVGElement>("[data-place]")) {
        const [right, bottom] = middle(place);
        const along = (right - left) * x + (bottom - top) * y;
        const across = Math.abs((right - left) * y) + Math.abs((bottom - top) * x);
        const distance = along + 3 * across;
        if (place !== here && along > 1 && distance < least) [best, least] = [place, distance];
    }
    return best;
}
