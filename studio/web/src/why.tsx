// Why a move is not legal, or why a game has ended: what the rules compare, and where.

import type { ComponentChildren } from "preact";
import { Marked } from "./parts";
import { store } from "./store";
import type { Answer } from "./types";

export function Why({ answer, close }: { answer: Answer; close: () => void }) {
    return (
        <div class="notice why" role="status">
            <Told answer={answer}>
                <button class="icon" aria-label="Dismiss" onClick={close}>✕</button>
            </Told>
            {answer.more && <Told answer={answer.more} />}
        </div>
    );
}

/** The first line beside what else is there, the others below it, and the places in the rules. */
function Told({ answer, children }: { answer: Answer; children?: ComponentChildren }) {
    const [first = "", ...lines] = answer.text.trim().split("\n");
    return (
        <>
            <div class="row">
                <span class="grow"><Marked text={first} /></span>
                {children}
            </div>
            {lines.length > 0 && <ul>{lines.map((line, at) => <li key={at}><Marked text={line.trim()} /></li>)}</ul>}
            {answer.places.map(({ line, text, from, to, found }) => (
                <button key={`${from} ${to}`} class="place" title="Show it in the rules" onClick={() => store.set({ goto: { from, to } })}>
                    <span class="figures">line {line}</span> <code>{text}</code>
                    {found && <span class="found"><Marked text={found} /></span>}
                </button>
            ))}
        </>
    );
}

/** How people write a move that goes by these places. */
export function written(places: string[]): string {
    return places.join(places.every((place) => /^[a-z]+[0-9]+$/i.test(place)) ? "" : " ");
}
