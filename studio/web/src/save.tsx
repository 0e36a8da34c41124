// Asks under which name a text is to be saved.

import { useEffect, useRef, useState } from "preact/hooks";
import { useStore } from "./store";
import { Trouble } from "./parts";
import type { Failure } from "./types";

export function SaveDialog({ close }: { close: () => void }) {
    const store = useStore();
    const [path, setPath] = useState(store.open?.path ?? store.open?.name ?? "");
    const dialog = useRef<HTMLDialogElement>(null);
    useEffect(() => dialog.current?.showModal(), []);
    const [failure, setFailure] = useState<Failure | null>(null);
    /** What is replaced is the file that was told of, and no other one. */
    const save = async (told: Failure | null) => {
        const wrong = await store.trySave({ path: path.trim(), ...(told ? { replace: told.digest ?? "" } : {}) });
        setFailure(wrong);
        if (wrong) return;
        dialog.current?.close();
        dispatchEvent(new Event("write"));
    };
    const submit = (event: Event) => {
        event.preventDefault();
        void save(null);
    };
    return (
        <dialog ref={dialog} onClose={close} aria-labelledby="save-title">
            <form onSubmit={submit}>
                <h2 id="save-title">Save as</h2>
                <label>
                    A path in <b>{store.hello?.folder}</b>
                    <input value={path} onInput={(event) => { setPath(event.currentTarget.value); setFailure(null); }} autofocus spellcheck={false} />
                </label>
                {failure && <Trouble failure={failure} />}
                <div class="row end">
                    {(failure?.code === "exists" || failure?.code === "IO392") && <button type="button" class="stop" onClick={() => void save(failure)}>Replace it</button>}
                    <button type="button" onClick={() => dialog.current?.close()}>Cancel</button>
                    <button type="submit" class="main" disabled={!path.trim()}>Save</button>
                </div>
            </form>
        </dialog>
    );
}
