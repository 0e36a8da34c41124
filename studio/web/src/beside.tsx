// What of a position is not on a board.

import type { Position } from "./types";

/** Hands, counters and other values. */
export function Beside({ position }: { position: Pick<Position, "tables" | "facts"> }) {
    const { tables, facts } = position;
    if (tables.length + facts.length === 0) return null;
    return (
        <div class="beside">
            {tables.map((table, at) => (
                <table key={at}>
                    {table.title && <caption>{table.title}</caption>}
                    <thead>
                        <tr>
                            {table.rows.some(([name]) => name) && <td />}
                            {table.columns.map((column) => <th key={column} scope="col">{column}</th>)}
                        </tr>
                    </thead>
                    <tbody>
                        {table.rows.map(([name, cells], row) => (
                            <tr key={row}>
                                {table.rows.some(([name]) => name) && <th scope="row">{name}</th>}
                                {cells.map((cell, column) => <td key={column}>{cell}</td>)}
                            </tr>
                        ))}
                    </tbody>
                </table>
            ))}
            {facts.length > 0 && (
                <dl>
                    {facts.map((fact, at) => (
                        <div key={at}>
                            {fact.name && <dt>{fact.name}</dt>}
                            <dd>{fact.value}</dd>
                        </div>
                    ))}
                </dl>
            )}
        </div>
    );
}
