// Asks under which name a text is to be saved.

import { useEffect, useRef, useState } from "preact/hooks";
import { useStore } from "./store";
import { Trouble } from "./parts";

export function SaveDialog({ close }: { close: () => void }) {
    const store = useStore();
    const [path, setPath] = useState(store.open?.path ?? store.open?.name ?? "");
    const dialog = useRef<HTMLDialogElement>(null);
    useEffect(() => dialog.current?.showModal(), []);
    const submit = async (event: Event) => {
        event.preventDefault();
        // Closed, and not only removed, it gives the keys back to whoever had them.
        if (await store.save(path.trim())) dialog.current?.close();
    };
    return (
        <dialog ref={dialog} onClose={close} aria-labelledby="save-title">
            <form onSubmit={submit}>
                <h2 id="save-title">Save as</h2>
                <label>
                    A path in <b>{store.hello?.folder}</b>
                    <input value={path} onInput={(event) => setPath(event.currentTarget.value)} autofocus spellcheck={false} />
                </label>
                {store.message && <Trouble failure={store.message} />}
                <div class="row end">
                    <button type="button" onClick={() => dialog.current?.close()}>Cancel</button>
                    <button type="submit" class="main" disabled={!path.trim()}>Save</button>
                </div>
            </form>
        </dialog>
    );
}
