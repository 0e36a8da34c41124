// Small parts that all panels use.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { GONE } from "./rpc";
import type { Failure } from "./types";

/** A text of which the parts between backquotes are code. */
export function Marked({ text }: { text: string }) {
    return <>{text.split("`").map((part, at) => (at % 2 ? <code key={at}>{part}</code> : part))}</>;
}

/** A remark that stands out. */
export function Notice({ kind, children }: { kind: "bad" | "info"; children: ComponentChildren }) {
    return <div class={`notice ${kind}`} role={kind === "bad" ? "alert" : "status"}>{children}</div>;
}

/** Why something failed, with the whole finding to unfold. */
export function Trouble({ failure, dismiss }: { failure: Failure; dismiss?: () => void }) {
    // That is said above the rules, with what can be done.
    if (failure.code === GONE.code) return null;
    return (
        <div class="notice bad" role="alert">
            <div class="row">
                <span class="grow"><Marked text={failure.message} /></span>
                {dismiss && <button class="icon" aria-label="Dismiss" onClick={dismiss}>✕</button>}
            </div>
            {failure.help && <p class="help"><Marked text={failure.help} /></p>}
            {failure.details && (
                <details>
                    <summary>details</summary>
                    <pre>{failure.details}</pre>
                </details>
            )}
        </div>
    );
}

/** What a panel shows when there is nothing to show yet. */
export function Empty({ children }: { children: ComponentChildren }) {
    return <div class="empty small">{children}</div>;
}

/** What a summary drops: a list that ends with Escape, and when one goes elsewhere. */
export function Drop({ name, kind, title, children }: { name: ComponentChildren; kind?: string; title?: string; children: ComponentChildren }) {
    const box = useRef<HTMLDetailsElement>(null);
    const [isOpen, setOpen] = useState(false);
    useDrop(box);
    return (
        <details class={kind ? `drop ${kind}` : "drop"} ref={box} onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary title={title}>{name}</summary>
            {isOpen && <div class="list">{children}</div>}
        </details>
    );
}

/** Closes what is dropped with Escape, which leads back to its summary or elsewhere, and when one goes elsewhere. */
export function useDrop(box: { current: HTMLDetailsElement | null }, back?: () => void): void {
    useEffect(() => {
        const leave = (event: Event) => {
            if (box.current && !box.current.contains(event.target as Node)) box.current.open = false;
        };
        const keys = (event: KeyboardEvent) => {
            if (event.key !== "Escape" || !box.current?.open) return;
            const isInside = box.current.contains(document.activeElement);
            box.current.open = false;
            if (!isInside) return;
            if (back) back();
            else box.current.querySelector<HTMLElement>("summary")?.focus();
        };
        const names = ["pointerdown", "focusin"];
        for (const name of names) addEventListener(name, leave);
        addEventListener("keydown", keys);
        return () => {
            for (const name of names) removeEventListener(name, leave);
            removeEventListener("keydown", keys);
        };
    }, []);
}

/** A field for a number between two bounds. What is not between them becomes the nearest one that is, at the latest when the field is left. */
export function NumberField(props: { value: number; least: number; most: number; step?: number; change: (value: number) => void; name?: string }) {
    const { value, least, most, step = 1, change, name } = props;
    const [text, setText] = useState(String(value));
    const type = (text: string) => {
        setText(text);
        const number = Number(text);
        if (!text.trim() || !Number.isFinite(number)) return;
        change(Math.min(most, Math.max(least, step === 1 ? Math.round(number) : number)));
    };
    return (
        <input
            type="number"
            min={least}
            max={most}
            step={step}
            value={text}
            aria-label={name}
            onInput={(event) => type(event.currentTarget.value)}
            onBlur={() => setText(String(value))}
        />
    );
}

const INTEGER = new Intl.NumberFormat("en");

/** A number with separators. */
export function grouped(number: number): string {
    return INTEGER.format(Math.round(number));
}
