// Asks whether changes that are not saved may be left.

import { useEffect, useRef } from "preact/hooks";
import { useStore } from "./store";

export function LeaveDialog() {
    const { asking } = useStore();
    return asking && <Question name={asking.name} answer={asking.answer} />;
}

function Question({ name, answer }: { name: string; answer: (may: boolean) => void }) {
    const dialog = useRef<HTMLDialogElement>(null);
    useEffect(() => dialog.current?.showModal(), []);
    const submit = (event: Event) => {
        event.preventDefault();
        answer(true);
    };
    return (
        <dialog ref={dialog} onClose={() => answer(false)} aria-labelledby="leave-title">
            <form onSubmit={submit}>
                <h2 id="leave-title">Discard the changes?</h2>
                <p><b>{name}</b> has changes that are not saved.</p>
                <div class="row end">
                    <button type="button" autofocus onClick={() => dialog.current?.close()}>Stay here</button>
                    <button type="submit" class="stop">Discard</button>
                </div>
            </form>
        </dialog>
    );
}
