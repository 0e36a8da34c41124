// What of a position is not on a board. Cells of tables that moves name can be clicked.

import { begins, type Spot } from "./board";
import type { Changes, Move, Position, Table } from "./types";

/** Columns of a table at most that stand beside each other; a longer one goes on below. */
const WIDE = 8;

/** What names of facts mean that do not come from the rules. */
const MEANINGS: Record<string, string> = {
    "decision in the rules": "The rules leave several decisions to whoever moves, such as choosing and placing; this is the one that is to be made now",
    "current vertex": "Where the rules stand on the board: moves are written from there",
};

/** Facts that the line above the board tells: who is to move. */
const SAID = ["in control", "on turn"];

/** What can be clicked, and what a move changes. */
export interface Clicks {
    moves: Move[];
    choice: string[];
    click: (spot: Spot, isTouched: boolean) => void;
    /** The pointer or the keys are on a cell, or on none any more. */
    look: (spot: Spot | null) => void;
    /** Who is to move, and all players: rows of tables may be called after them. */
    mover: string | null;
    players: string[];
    /** What the move would change on which the pointer is. */
    ahead: Changes | null;
}

/** Hands, counters and other values, with what the last move has changed. */
export function Beside({ position, changed, clicks }: { position: Pick<Position, "tables" | "facts">; changed: Changes; clicks?: Clicks }) {
    const { tables } = position;
    const facts = position.facts.filter(({ name }) => !SAID.includes(name));
    if (tables.length + facts.length === 0) return null;
    return (
        <div class="beside">
            {groups(tables).map((group, at) => <Group key={at} tables={group} changed={changed} clicks={clicks ?? null} />)}
            {facts.length > 0 && (
                <dl>
                    {facts.map((fact, at) => (
                        <div key={at}>
                            {fact.name && <dt title={MEANINGS[fact.name]}>{fact.name}</dt>}
                            <dd>{fact.value}</dd>
                        </div>
                    ))}
                </dl>
            )}
        </div>
    );
}

/** Tables, with those of one title and width together that follow each other: their columns are of places that lie opposite each other. */
function groups(tables: Table[]): Table[][] {
    const groups: Table[][] = [];
    for (const table of tables) {
        const before = groups.at(-1)?.[0];
        const isOpposite = before && before.title && before.title === table.title && before.columns.length === table.columns.length && table.columns.length <= WIDE;
        if (isOpposite) groups.at(-1)?.push(table);
        else groups.push([table]);
    }
    return groups;
}

/** A table in parts that are about equally wide. */
function parts(table: Table): Table[] {
    const count = Math.ceil(table.columns.length / WIDE);
    if (count <= 1) return [table];
    const wide = Math.ceil(table.columns.length / count);
    return Array.from({ length: count }, (_, at) => {
        const part = <T,>(list: T[]) => list.slice(at * wide, (at + 1) * wide);
        return { title: table.title, columns: part(table.columns), rows: table.rows.map(([name, cells]) => [name, part(cells)] as [string, string[]]) };
    });
}

/** Tables whose columns are below each other, or a long one in parts. */
function Group({ tables, changed, clicks }: { tables: Table[]; changed: Changes; clicks: Clicks | null }) {
    const [first] = tables;
    if (!first) return null;
    const hasNames = tables.some((table) => table.rows.some(([name]) => name));
    const tabled = tables.length > 1 ? [tables] : parts(first).map((part) => [part]);
    return (
        <>
            {tabled.map((parts, at) => (
                <table key={at} class={parts.length > 1 ? "opposite" : undefined}>
                    {first.title && at === 0 && <caption>{first.title}</caption>}
                    {parts.map((part, number) => <Part key={number} table={part} hasNames={hasNames} changed={changed} clicks={clicks} />)}
                </table>
            ))}
        </>
    );
}

function Part({ table, hasNames, changed, clicks }: { table: Table; hasNames: boolean; changed: Changes; clicks: Clicks | null }) {
    const fitting = clicks?.moves.filter((move) => begins(move, clicks.choice)) ?? [];
    // Where each player has a row, moves that name a column are about the row of whoever moves.
    const isOfPlayers = clicks !== null && clicks.mover !== null && table.rows.length > 1 && table.rows.every(([name]) => clicks.players.includes(name));
    const cell = (row: string, column: string) => {
        const names = isOfPlayers && row !== clicks.mover ? [`${row},${column}`] : [`${row},${column}`, column];
        const named = names.find((label) => clicks?.moves.some((move) => move.clicks.includes(label)));
        if (!clicks || named === undefined) return null;
        const isNext = fitting.some((move) => move.clicks[clicks.choice.length] === named);
        return { named, isNext, class: clicks.choice.includes(named) ? "chosen" : isNext ? (clicks.choice.length > 0 ? "target" : "can") : "" };
    };
    const among = (changes: Changes | null | undefined, row: string, column: string) =>
        changes?.cells.find((cell) => cell.table === table.title && cell.row === row && cell.column === column);
    return (
        <>
            <tbody class="head">
                <tr>
                    {hasNames && <td />}
                    {table.columns.map((column) => <th key={column} scope="col">{column}</th>)}
                </tr>
            </tbody>
            <tbody>
                {table.rows.map(([name, cells], row) => (
                    <tr key={row}>
                        {hasNames && <th scope="row">{name}</th>}
                        {cells.map((value, at) => {
                            const column = table.columns[at] ?? "";
                            const place = cell(name, column);
                            const then = among(clicks?.ahead, name, column);
                            const marks = [place?.class, then && "ahead", among(changed, name, column) && "last"].filter(Boolean).join(" ");
                            // In the place of what is there: nothing moves then.
                            const shown = then ? <b>{then.value}</b> : <span class={value === "0" || value === "empty" ? "nothing" : ""}>{value}</span>;
                            const title = then && `${value} → ${then.value}`;
                            if (!place || !clicks) return <td key={at} class={marks} title={title}>{shown}</td>;
                            const spot = { label: place.named, outer: null, board: null };
                            const look = () => clicks.look(spot);
                            const leave = () => clicks.look(null);
                            return (
                                <td key={at} class={marks} title={title}>
                                    <button
                                        tabIndex={place.isNext ? 0 : -1}
                                        data-cell={place.named}
                                        aria-label={`${place.named}: ${value}`}
                                        onClick={(event) => clicks.click(spot, (event as unknown as PointerEvent).pointerType === "touch")}
                                        onPointerEnter={look}
                                        onPointerLeave={leave}
                                        onFocus={look}
                                        onBlur={leave}
                                    >
                                        {shown}
                                    </button>
                                </td>
                            );
                        })}
                    </tr>
                ))}
            </tbody>
        </>
    );
}
