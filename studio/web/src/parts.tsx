// Small parts that all panels use.

import type { ComponentChildren } from "preact";
import type { Failure } from "./types";

/** A remark that stands out. */
export function Notice({ kind, children }: { kind: "bad" | "info"; children: ComponentChildren }) {
    return <div class={`notice ${kind}`} role={kind === "bad" ? "alert" : "status"}>{children}</div>;
}

/** Why something failed, with the whole finding to unfold. */
export function Trouble({ failure, dismiss }: { failure: Failure; dismiss?: () => void }) {
    return (
        <div class="notice bad" role="alert">
            <div class="row">
                <span class="grow">{failure.message}</span>
                {dismiss && <button class="icon" aria-label="Dismiss" onClick={dismiss}>✕</button>}
            </div>
            {failure.help && <p class="help">{failure.help}</p>}
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

const INTEGER = new Intl.NumberFormat("en");

/** A number with separators. */
export function grouped(number: number): string {
    return INTEGER.format(Math.round(number));
}
