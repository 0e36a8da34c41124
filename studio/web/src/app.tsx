// The whole page: what is open at the top, the library at the left, the editor, and beside it the panels.

import { useEffect, useState } from "preact/hooks";
import { AuditPanel } from "./audit";
import { isUnsaved, kept, keptLeft } from "./draft";
import { Editor } from "./editor";
import type { Severity } from "./findings";
import { GraphPanel } from "./graph";
import { LeaveDialog } from "./leave";
import { LibraryList } from "./library";
import { codeIn } from "./link";
import { MatchPanel } from "./match";
import { MeasurePanel } from "./measure";
import { PassesPanel } from "./passes";
import { PlayPanel } from "./play";
import { SaveDialog } from "./save";
import { ShareDialog, download } from "./share";
import { Split } from "./split";
import { store, useStore, type Panel } from "./store";
import { toggleTheme } from "./theme";
import { Marked, Notice, Trouble } from "./parts";
import type { Target } from "./types";

const PANELS: { name: Panel; title: string; key: string }[] = [
    { name: "play", title: "Play", key: "1" },
    { name: "graph", title: "Automaton", key: "2" },
    { name: "passes", title: "Passes", key: "3" },
    { name: "measure", title: "Measure", key: "4" },
    { name: "match", title: "Match", key: "5" },
    { name: "audit", title: "Audit", key: "6" },
];

/** Screens that are touched, which have little room. */
const TOUCHED = "(pointer: coarse)";

export function App() {
    const store = useStore();
    const [hasLibrary, setLibrary] = useState(true);
    const [isSaving, setSaving] = useState(false);
    const [isSharing, setSharing] = useState(false);
    const save = () => {
        if (store.open?.path) void store.save();
        else if (store.open) setSaving(true);
    };
    useEffect(() => {
        const keys = (event: KeyboardEvent) => {
            const isCommand = event.ctrlKey || event.metaKey;
            if (isCommand && event.key.toLowerCase() === "s") {
                event.preventDefault();
                save();
            } else if (event.altKey && !isCommand && event.key === "0") {
                event.preventDefault();
                document.querySelector<HTMLInputElement>("#search")?.focus();
            } else if (event.altKey && !isCommand && event.key === "9") {
                event.preventDefault();
                dispatchEvent(new Event("write"));
            } else if (event.altKey && !isCommand) {
                const panel = PANELS.find(({ key }) => key === event.key);
                if (!panel) return;
                event.preventDefault();
                store.set({ panel: panel.name });
                document.getElementById(`tab-${panel.name}`)?.focus();
            }
        };
        addEventListener("keydown", keys);
        return () => removeEventListener("keydown", keys);
    });
    const { isAsking } = store;
    useEffect(() => {
        const leave = (event: BeforeUnloadEvent) => {
            if (store.isAsking) event.preventDefault();
        };
        if (isAsking) addEventListener("beforeunload", leave);
        return () => removeEventListener("beforeunload", leave);
    }, [isAsking]);
    if (store.lost !== null && !store.open) return <Lost reason={store.lost} />;
    return (
        <div class="page">
            <Top toggleLibrary={() => setLibrary(!hasLibrary)} hasLibrary={hasLibrary} save={save} saveAs={() => setSaving(true)} share={() => setSharing(true)} />
            <div class="columns">
                {hasLibrary && <LibraryList chosen={() => setLibrary(!matchMedia(TOUCHED).matches)} />}
                <Split>
                    <section class="pane" aria-label="Rules">
                        {store.open && store.lost !== null && <Gone reason={store.lost} />}
                        {store.open && <Left />}
                        {store.open ? <Editor key={`${store.open.editor}/${store.open.name}`} /> : <Welcome />}
                    </section>
                    <section class="pane" aria-label="Panels">
                        <Tabs />
                        {PANELS.map(({ name }) => (
                            <div key={name} class="panel" role="tabpanel" aria-labelledby={`tab-${name}`} hidden={store.panel !== name}>
                                {name === "play" && <PlayPanel key={store.open?.game} />}
                                {name === "graph" && <GraphPanel key={store.open?.game} />}
                                {name === "passes" && <PassesPanel key={store.open?.game} />}
                                {name === "measure" && <MeasurePanel key={store.open?.game} />}
                                {name === "match" && <MatchPanel key={store.open?.game} />}
                                {name === "audit" && <AuditPanel key={store.open?.game} />}
                            </div>
                        ))}
                    </section>
                </Split>
            </div>
            {isSaving && <SaveDialog close={() => setSaving(false)} />}
            <LeaveDialog />
            {isSharing && <ShareDialog close={() => setSharing(false)} />}
        </div>
    );
}

/** What is open that is no file. */
const ORIGINS = { copy: "A copy of a bundled game: nothing is saved until you do", new: "A new game: it is not saved yet", "from a link": "A copy of what a link carries: it is not saved yet" };

function originOf(target: Target): keyof typeof ORIGINS {
    return "shared" in target ? "from a link" : "new" in target ? "new" : "copy";
}

function Top(props: { hasLibrary: boolean; toggleLibrary: () => void; save: () => void; saveAs: () => void; share: () => void }) {
    const store = useStore();
    const { open, hello } = store;
    return (
        <header class="top">
            <button class="icon" aria-label="Library" aria-pressed={props.hasLibrary} title="Show or hide the library" onClick={props.toggleLibrary}>☰</button>
            <strong class="brand">rgc studio</strong>
            {open && (
                <>
                    <span class="open" title={open.path ?? open.name}>
                        {open.path ?? open.name}
                        {store.isChanged && <span class="dot" title="not saved" aria-label="not saved">●</span>}
                    </span>
                    {open.path === null && <span class="badge" title={ORIGINS[originOf(open.target)]}>{originOf(open.target)}</span>}
                    <Status />
                </>
            )}
            <span class="grow" />
            {open && !hello?.readOnly && (
                <>
                    <button onClick={props.save} disabled={!store.isChanged && open.path !== null} title="Ctrl+S">Save</button>
                    <button onClick={props.saveAs}>Save as…</button>
                </>
            )}
            {hello?.readOnly && <span class="badge">read only</span>}
            {open && <button onClick={props.share} disabled={!store.good}>Share…</button>}
            <button class="icon" aria-label="Light or dark" title="Light or dark" onClick={toggleTheme}>◐</button>
        </header>
    );
}

/** What the server says of the text; a click goes to the next finding. */
function Status() {
    const { checked, good, version, findings, lost } = useStore();
    if (lost !== null) return <span class="status bad">not connected</span>;
    if (!checked) return <span class="status busy">reading…</span>;
    const count = (number: number, what: string) => (number > 0 ? [`${number} ${what}${number === 1 ? "" : "s"}`] : []);
    const found = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
    const warnings = found("warning");
    // The language server may find more of them; of a text without any, it may not know yet.
    const errors = checked.errors > 0 ? Math.max(checked.errors, found("error")) : 0;
    const all = [...count(errors, "error"), ...count(warnings, "warning"), ...count(found("remark"), "remark")].join(", ");
    if (errors === 0 && checked.version < version) return <span class="status busy">reading…</span>;
    if (!all) return <span class="status good">no errors</span>;
    const shown = checked.errors > 0 && good ? "; the panels show the last text without errors" : "";
    const kind = errors > 0 ? "bad" : warnings > 0 ? "good warm" : "good";
    return (
        <button class={`status ${kind}`} title={`${checked.wrong?.details ?? ""}Go to the next one (F8)`} onClick={() => dispatchEvent(new Event("finding"))}>
            {errors === 0 && "no errors, "}{all}{shown}
        </button>
    );
}

function Tabs() {
    const store = useStore();
    const move = (event: KeyboardEvent) => {
        const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (!step) return;
        const at = PANELS.findIndex(({ name }) => name === store.panel);
        const next = PANELS[(at + step + PANELS.length) % PANELS.length];
        if (!next) return;
        store.set({ panel: next.name });
        document.getElementById(`tab-${next.name}`)?.focus();
    };
    return (
        <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={move}>
            {PANELS.map(({ name, title, key }) => (
                <button
                    key={name}
                    id={`tab-${name}`}
                    role="tab"
                    aria-selected={store.panel === name}
                    tabIndex={store.panel === name ? 0 : -1}
                    title={`Alt+${key}`}
                    data-label={title}
                    onClick={() => store.set({ panel: name })}
                >
                    {title}
                </button>
            ))}
        </div>
    );
}

function Welcome() {
    const { hello, message } = useStore();
    return (
        <div class="empty">
            {message && <Trouble failure={message} dismiss={() => store.set({ message: null })} />}
            <Left />
            <h1>Open a game</h1>
            <p>Choose one of the bundled games or a file of <b>{hello?.folder ?? "the folder"}</b> at the left, or begin a new one there.</p>
            <p>The rules are here, and beside them the board: all panels follow what you type.</p>
        </div>
    );
}

const downloadText = (name: string, text: string) => download(name, new Blob([text], { type: "text/plain" }));

/** Offers what was left in this tab when another game was opened, or what cannot be opened. */
function Left() {
    const { left } = useStore();
    return (
        <>
            {left.map((draft, at) => (
                <Notice key={at} kind="info">
                    <div class="row">
                        <span class="grow">{draft.name} has changes in this tab that were not saved.</span>
                        <button onClick={() => void store.mayLeave().then((may) => void (may && store.openDraft(draft)))}>Open it</button>
                        <button onClick={() => downloadText(draft.name, draft.text)}>Keep it as a file</button>
                        <button onClick={() => store.leave(draft)}>Forget them</button>
                    </div>
                </Notice>
            ))}
        </>
    );
}

/** The server is gone, and the text is still there. */
function Gone({ reason }: { reason: string }) {
    const { open, written, isChanged, isKept } = useStore();
    return (
        <Notice kind="bad">
            <p><b>Not connected.</b> <Marked text={reason} /></p>
            <div class="row end">
                {isChanged && <span class="grow">{isKept ? "What is not saved stays in this tab." : "What is not saved is lost when the page is left: it is too large to stay in the tab."}</span>}
                <button onClick={() => downloadText(open?.name ?? "game", written)}>Keep the text as a file</button>
                <button onClick={() => store.reload()}>Try again</button>
            </div>
        </Notice>
    );
}

function Lost({ reason }: { reason: string }) {
    const left = [kept(), ...keptLeft()].filter((draft) => draft !== null).filter(isUnsaved);
    return (
        <div class="empty">
            <h1>Not connected</h1>
            <Notice kind="bad"><Marked text={reason} /></Notice>
            {left.map(({ name, text }, at) => <button key={at} onClick={() => downloadText(name, text)}>Keep the text of {name} as a file</button>)}
            {/* What a link carries needs another address. */}
            {!codeIn(location.hash) && <button onClick={() => location.reload()}>Try again</button>}
        </div>
    );
}
