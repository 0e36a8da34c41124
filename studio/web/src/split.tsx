// Two columns with a bar between them that can be moved.

import { useEffect, useRef, useState } from "preact/hooks";

const KEY = "rgc-studio-split";

/** The width of the first column that was chosen before, in hundredths. */
function kept(): number {
    try {
        return Math.min(80, Math.max(15, Number(localStorage.getItem(KEY)) || 42));
    } catch {
        return 42;
    }
}

export function Split({ children }: { children: [preact.ComponentChild, preact.ComponentChild] }) {
    const [share, setShare] = useState(kept);
    useEffect(() => {
        try {
            localStorage.setItem(KEY, String(Math.round(share)));
        } catch {
            // Without a store, it begins anew.
        }
    }, [share]);
    const box = useRef<HTMLDivElement>(null);
    const clamp = (value: number) => Math.min(80, Math.max(15, value));
    const drag = (event: PointerEvent) => {
        const bar = event.currentTarget as HTMLElement;
        bar.setPointerCapture(event.pointerId);
        const move = (event: PointerEvent) => {
            const rect = box.current?.getBoundingClientRect();
            if (rect) setShare(clamp(((event.clientX - rect.left) / rect.width) * 100));
        };
        const up = () => bar.removeEventListener("pointermove", move);
        bar.addEventListener("pointermove", move);
        bar.addEventListener("pointerup", up, { once: true });
    };
    const key = (event: KeyboardEvent) => {
        const step = event.key === "ArrowLeft" ? -4 : event.key === "ArrowRight" ? 4 : 0;
        if (step) setShare((share) => clamp(share + step));
    };
    return (
        <div class="split" ref={box} style={{ gridTemplateColumns: `minmax(0, ${share}fr) 6px minmax(0, ${100 - share}fr)` }}>
            {children[0]}
            <div
                class="bar"
                role="separator"
                aria-label="Width of the editor"
                aria-orientation="vertical"
                aria-valuenow={Math.round(share)}
                tabIndex={0}
                onPointerDown={drag}
                onKeyDown={key}
            />
            {children[1]}
        </div>
    );
}
