// The text of the rules, in colours.

import { useEffect, useMemo, useRef } from "preact/hooks";
import { grammarOf, start } from "../grammar";
import type { Range } from "./types";

interface Line extends Range {
    words: { text: string; style: string | null }[];
}

function lines(text: string, language: string): Line[] {
    const grammar = grammarOf(language);
    const state = start();
    let from = 0;
    return text.split("\n").map((line) => {
        const words: Line["words"] = [];
        for (let at = 0; at < line.length; ) {
            const { to, style } = grammar ? grammar.next(line, at, state) : { to: line.length, style: null };
            const last = words.at(-1);
            const text = line.slice(at, to);
            if (last && last.style === style) last.text += text;
            else words.push({ text, style });
            at = to;
        }
        const range = { from, to: from + line.length, words };
        from += line.length + 1;
        return range;
    });
}

const CLASSES: Record<string, string> = { "variableName.special": "tok-variableName2" };

export function Rules(props: { text: string; language: string; marked: Range | null; choose: (line: Range) => void }) {
    const { text, language, marked, choose } = props;
    const all = useMemo(() => lines(text.replace(/\r\n?/g, (end) => (end.length > 1 ? " \n" : "\n")), language), [text, language]);
    const box = useRef<HTMLDivElement>(null);
    useEffect(() => {
        if (marked) box.current?.querySelector(".marked")?.scrollIntoView({ block: "center" });
    }, [marked]);
    const isMarked = ({ from, to }: Range) => marked !== null && from <= marked.to && marked.from <= to && (marked.from < to || from === to);
    return (
        <div class="rules" ref={box} tabIndex={0} aria-label="The rules of the game">
            <ol>
                {all.map((line, at) => (
                    <li key={at} class={isMarked(line) ? "marked" : ""} onClick={() => choose(line)}>
                        {line.words.map(({ text, style }, at) => (style ? <span key={at} class={CLASSES[style] ?? `tok-${style}`}>{text}</span> : text))}
                    </li>
                ))}
            </ol>
        </div>
    );
}
