// What of a position is not on a board. Cells of tables that moves name can be clicked.

import { begins } from "./board";
import type { Move, Position, Table } from "./types";

/** Columns of a table at most that stand beside each other; a longer one goes on below. */
const WIDE = 8;

/** What names of facts mean that do not come from the rules. */
const MEANINGS: Record<string, string> = {
    phase: "A turn of this player has several parts, such as choosing and placing; this is the part that comes now",
    "current vertex": "Where the rules stand on the board: moves are written from there",
};

/** Facts that the line above the board tells: who is to move. */
const SAID = ["in control", "on turn"];

type Clicks = { moves: Move[]; choice: string[]; click: (label: string, outer: string | null) => void };

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
function parts(table: Table): Table[] {
    const count = Math.ceil(table.columns.length / WIDE);
    if (count <= 1) return [table];
    const wide = Math.ceil(table.columns.length / count);
    return Array.from({ length: count }, (_, at) => {
        const part = <T,>(list: T[]) => list.slice(at * wide, (at + 1) * wide);
        return { title: at === 0 ? table.title : "", columns: part(table.columns), rows: table.rows.map(([name, cells]) => [name, part(cells)] as [string, string[]]) };
    });
}

function Part({ table, clicks }: { table: Table; clicks: Clicks | null }) {
    const hasNames = table.rows.some(([name]) => name);
    const fitting = clicks?.moves.filter((move) => begins(move, clicks.choice)) ?? [];
    const cell = (row: string, column: string) => {
        const named = [`${row},${column}`, column].find((label) => clicks?.moves.some((move) => move.clicks.includes(label)));
        if (!clicks || named === undefined) return null;
        const isNext = fitting.some((move) => move.clicks[clicks.choice.length] === named);
        return { named, isNext, class: clicks.choice.includes(named) ? "chosen" : isNext ? (clicks.choice.length > 0 ? "target" : "can") : "" };
    };
    return (
        <table>
            {table.title && <caption>{table.title}</caption>}
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
                            const shown = <span class={value === "0" || value === "empty" ? "nothing" : ""}>{value}</span>;
                            if (!place || !clicks) return <td key={at}>{shown}</td>;
                            return (
                                <td key={at} class={place.class}>
                                    <button tabIndex={place.isNext ? 0 : -1} data-cell={place.named} aria-label={`${place.named}: ${value}`} onClick={() => clicks.click(place.named, null)}>{shown}</button>
                                </td>
                            );
                        })}
                    </tr>
                ))}
            </tbody>
        </table>
    );
}
