// The bundled games and the files of the folder, with a search.

import { useState } from "preact/hooks";
import { codeIn } from "./link";
import { NewDialog } from "./new";
import { useStore } from "./store";
import type { Target } from "./types";

/** `chosen` is told when a game is opened from it. */
export function LibraryList({ chosen }: { chosen: () => void }) {
    const store = useStore();
    const { library, hello, open } = store;
    const [search, setSearch] = useState("");
    const [isNew, setNew] = useState(false);
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (...texts: string[]) => {
        const text = texts.join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
    };
    const choose = (target: Target) => {
        void store.mayLeave().then((may) => {
            if (!may) return;
            void store.openTarget(target);
            chosen();
        });
    };
    const type = async (text: string) => {
        const code = codeIn(text);
        setSearch(code ? "" : text);
        if (code && (await store.mayLeave())) void store.openLink(code);
    };
    const keys = (event: KeyboardEvent) => {
        if (event.key === "Enter" && (event.target as Element).id === "search" && search) {
            // The first game that fits is what is meant.
            event.preventDefault();
            document.querySelector<HTMLElement>(".library .entry")?.click();
            return;
        }
        const side = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        const game = (event.target as Element).closest(".game");
        if (side && game) {
            // From a game to its languages and back.
            const all = [...game.querySelectorAll<HTMLElement>("button")];
            event.preventDefault();
            all[all.indexOf(event.target as HTMLElement) + side]?.focus();
            return;
        }
        const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        if (!step) return;
        const all = [...document.querySelectorAll<HTMLElement>("#search, .library .entry")];
        const at = all.indexOf((document.activeElement?.closest(".game")?.querySelector(".entry") ?? document.activeElement) as HTMLElement);
        event.preventDefault();
        all[Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
    };
    // What is called so comes before what is described so.
    const rank = ({ name, title }: { name: string; title: string }) => (words.every((word) => `${name} ${title}`.toLowerCase().includes(word)) ? 0 : 1);
    const bundled = library?.bundled.filter((game) => fits(game.name, game.title, game.what, ...game.languages)).sort((one, other) => rank(one) - rank(other)) ?? [];
    const files = library?.files.filter((file) => fits(file.path, file.language)) ?? [];
    return (
        <nav class="library" aria-label="Library" onKeyDown={keys}>
            <input id="search" type="search" placeholder="Search, or paste a link" aria-label="Search games" title="Alt+0" value={search} onInput={(event) => void type(event.currentTarget.value)} />
            {hello && <button class="new" onClick={() => setNew(true)}>New game…</button>}
            {isNew && <NewDialog close={() => setNew(false)} begun={chosen} />}
            <div class="scroll">
                {files.length > 0 && (
                    <>
                        <h2>{hello?.folder}</h2>
                        <ul>
                            {files.map((file, at) => (
                                <li key={file.path}>
                                    <button class="entry" tabIndex={at === 0 ? 0 : -1} aria-current={open?.path === file.path} title={file.path} onClick={() => choose({ path: file.path })}>
                                        <span class="name">{file.path}</span>
                                    </button>
                                </li>
                            ))}
                        </ul>
                    </>
                )}
                <h2>Bundled games</h2>
                <ul>
                    {bundled.map((game, at) => (
                        <li key={game.name} class="game">
                            <button
                                class="entry"
                                tabIndex={at === 0 ? 0 : -1}
                                aria-current={!open?.path && open?.name.startsWith(`${game.name}.`)}
                                title={game.what}
                                onClick={() => choose({ name: `${game.name}.${game.languages[0]}` })}
                            >
                                <span class="name" style={{ paddingRight: `${21 * game.languages.length}px` }}>{game.title}</span>
                                <span class="what">{game.what}</span>
                            </button>
                            <span class="languages">
                                {game.languages.map((language) => (
                                    <button key={language} class="language" tabIndex={-1} title={`${game.title} in ${language.toUpperCase()}`} onClick={() => choose({ name: `${game.name}.${language}` })}>
                                        {language}
                                    </button>
                                ))}
                            </span>
                        </li>
                    ))}
                </ul>
                {library && bundled.length + files.length === 0 && <p class="hint">No game fits this search.</p>}
                {!library && <p class="hint">reading…</p>}
            </div>
        </nav>
    );
}
