// What of a position is not on a board. Cells of tables that moves name can be clicked.

import { begins } from "./board";
import type { Changes, Move, Position, Table } from "./types";

/** Columns of a table at most that stand beside each other; a longer one goes on below. */
const WIDE = 8;

/** What names of facts mean that do not come from the rules. */
const MEANINGS: Record<string, string> = {
    phase: "A turn of this player has several parts, such as choosing and placing; this is the part that comes now",
    "current vertex": "Where the rules stand on the board: moves are written from there",
};

/** Facts that the line above the board tells: who is to move. */
const SAID = ["in control", "on turn"];

/** What can be clicked, and what a move changes. */
export interface Clicks {
    moves: Move[];
    choice: string[];
    click: (label: string, outer: string | null) => void;
    /** The pointer or the keys are on a cell, or on none any more. */
    look: (label: string | null, outer: string | null) => void;
    /** Who is to move, and all players: rows of tables may be called after them. */
    mover: string | null;
    players: string[];
    /** What the last move has changed, and what the move would change on which the pointer is. */
    changed: Changes;
    ahead: Changes | null;
}

/** Hands, counters and other values. */
export function Beside({ position, clicks }: { position: Pick<Position, "tables" | "facts">; clicks?: Clicks }) {
    const { tables } = position;
    const facts = position.facts.filter(({ name }) => !SAID.includes(name));
    if (tables.length + facts.length === 0) return null;
    return (
        <div class="beside">
            {tables.flatMap((table, at) => parts(table).map((part, number) => <Part key={`${at} ${number}`} table={part} clicks={clicks ?? null} />))}
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

/** A table in parts that are about equally wide. */
function parts(table: Table): (Table & { isFirst: boolean })[] {
    const count = Math.ceil(table.columns.length / WIDE);
    if (count <= 1) return [{ ...table, isFirst: true }];
    const wide = Math.ceil(table.columns.length / count);
    return Array.from({ length: count }, (_, at) => {
        const part = <T,>(list: T[]) => list.slice(at * wide, (at + 1) * wide);
        return { title: table.title, isFirst: at === 0, columns: part(table.columns), rows: table.rows.map(([name, cells]) => [name, part(cells)] as [string, string[]]) };
    });
}

function Part({ table, clicks }: { table: Table & { isFirst: boolean }; clicks: Clicks | null }) {
    const hasNames = table.rows.some(([name]) => name);
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
        <table>
            {table.title && table.isFirst && <caption>{table.title}</caption>}
            <thead>
                <tr>
                    {hasNames && <td />}
                    {table.columns.map((column) => <th key={column} scope="col">{column}</th>)}
                </tr>
            </thead>
            <tbody>
                {table.rows.map(([name, cells], row) => (
                    <tr key={row}>
                        {hasNames && <th scope="row">{name}</th>}
                        {cells.map((value, at) => {
                            const column = table.columns[at] ?? "";
                            const place = cell(name, column);
                            const then = among(clicks?.ahead, name, column);
                            const marks = [place?.class, then && "ahead", among(clicks?.changed, name, column) && "last"].filter(Boolean).join(" ");
                            // In the place of what is there: nothing moves then.
                            const shown = then ? <b>{then.value}</b> : <span class={value === "0" || value === "empty" ? "nothing" : ""}>{value}</span>;
                            const title = then && `${value} → ${then.value}`;
                            if (!place || !clicks) return <td key={at} class={marks} title={title}>{shown}</td>;
                            const look = () => clicks.look(place.named, null);
                            const leave = () => clicks.look(null, null);
                            return (
                                <td key={at} class={marks} title={title}>
                                    <button
                                        tabIndex={place.isNext ? 0 : -1}
                                        data-cell={place.named}
                                        aria-label={`${place.named}: ${value}`}
                                        onClick={() => clicks.click(place.named, null)}
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
        </table>
    );
}
