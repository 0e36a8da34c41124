// Begins a new game: a small one that can be played at once, whose comments say what to change.

import { useEffect, useRef, useState } from "preact/hooks";
import { useStore } from "./store";
import { Trouble } from "./parts";
import type { Failure } from "./types";

export function NewDialog({ close, begun }: { close: () => void; begun: () => void }) {
    const store = useStore();
    const [name, setName] = useState("myGame");
    const [language, setLanguage] = useState(store.hello?.beginnings[0] ?? "");
    const [failure, setFailure] = useState<Failure | null>(null);
    const dialog = useRef<HTMLDialogElement>(null);
    useEffect(() => dialog.current?.showModal(), []);
    const submit = async (event: Event) => {
        event.preventDefault();
        if (!(await store.mayLeave())) return;
        const wrong = await store.tryOpen({ new: { language, name: name.trim() } });
        setFailure(wrong);
        if (wrong) return;
        dialog.current?.close();
        begun();
        // What comes next is to change it.
        store.set({ goto: { from: 0, to: 0, isFocused: true } });
    };
    const languages = store.hello?.languages.filter(({ name }) => store.hello?.beginnings.includes(name)) ?? [];
    const order = (name: string) => store.hello?.beginnings.indexOf(name) ?? 0;
    return (
        <dialog ref={dialog} onClose={close} aria-labelledby="new-title">
            <form onSubmit={submit}>
                <h2 id="new-title">New game</h2>
                <label>
                    Name
                    <input value={name} onInput={(event) => setName(event.currentTarget.value)} onFocus={(event) => event.currentTarget.select()} autofocus spellcheck={false} />
                </label>
                <label>
                    Language
                    <select value={language} onChange={(event) => setLanguage(event.currentTarget.value)}>
                        {languages.sort((one, other) => order(one.name) - order(other.name)).map(({ name, title }) => <option key={name} value={name}>{title}</option>)}
                    </select>
                </label>
                <p class="hint">It begins as a small game that can be played at once; comments in it say what to change.</p>
                {failure && <Trouble failure={failure} />}
                <div class="row end">
                    <button type="button" onClick={() => dialog.current?.close()}>Cancel</button>
                    <button type="submit" class="main" disabled={!name.trim()}>Begin</button>
                </div>
            </form>
        </dialog>
    );
}
