// The language server, over a socket of its own.

import { LSPClient, LSPPlugin, Workspace, languageServerExtensions, type Transport, type WorkspaceFile } from "@codemirror/lsp-client";
import type { Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { fits, openSocket } from "./rpc";

/** Milliseconds before the first attempt to open a lost socket again; each further attempt waits twice as long. */
const RETRY = 500;

/** Attempts at most. */
const ATTEMPTS = 8;

/** Elements that explanations may have; all others are replaced by what is in them. */
const ELEMENTS = new Set(["A", "BR", "CODE", "DIV", "EM", "HR", "LI", "OL", "P", "PRE", "SPAN", "STRONG", "TABLE", "TBODY", "TD", "TH", "THEAD", "TR", "UL"]);

/** HTML without scripts, pictures, links to other places, and attributes but classes. */
function harmless(html: string): string {
    const body = new DOMParser().parseFromString(html, "text/html").body;
    for (const element of [...body.querySelectorAll("*")]) {
        if (!ELEMENTS.has(element.tagName)) {
            element.replaceWith(...element.childNodes);
            continue;
        }
        for (const { name } of [...element.attributes]) if (name !== "class") element.removeAttribute(name);
    }
    return body.innerHTML;
}

/** A file that an editor shows. */
class Shown implements WorkspaceFile {
    constructor(readonly uri: string, readonly languageId: string, public version: number, public doc: Text, readonly view: EditorView) {}

    getView(): EditorView {
        return this.view;
    }
}

/**
 * The open files. An editor that opens a file takes it over from the one that had it: editors are replaced in an order that depends on how fast
 * the page is, and a file that is closed late must not close that of its successor.
 */
class Files extends Workspace {
    files: Shown[] = [];
    private version = 0;

    syncFiles() {
        return this.files.flatMap((file) => {
            const plugin = LSPPlugin.get(file.view);
            if (!plugin || plugin.unsyncedChanges.empty) return [];
            const update = { changes: plugin.unsyncedChanges, file, prevDoc: file.doc };
            file.doc = file.view.state.doc;
            file.version = ++this.version;
            plugin.clear();
            return [update];
        });
    }

    openFile(uri: string, languageId: string, view: EditorView): void {
        this.close((file) => file.uri === uri);
        const file = new Shown(uri, languageId, ++this.version, view.state.doc, view);
        this.files.push(file);
        this.client.didOpen(file);
    }

    closeFile(uri: string, view: EditorView): void {
        this.close((file) => file.uri === uri && file.view === view);
    }

    private close(isMeant: (file: Shown) => boolean): void {
        for (const file of this.files.filter(isMeant)) this.client.didClose(file.uri);
        this.files = this.files.filter((file) => !isMeant(file));
    }
}

function transport(socket: WebSocket): Transport {
    const handlers = new Set<(message: string) => void>();
    socket.onmessage = (event) => handlers.forEach((handler) => handler(String(event.data)));
    return {
        send: (message) => {
            // The server would close the socket; the text itself is refused where it is read.
            if (socket.readyState === WebSocket.OPEN && fits(message)) socket.send(message);
        },
        subscribe: (handler) => void handlers.add(handler),
        unsubscribe: (handler) => void handlers.delete(handler),
    };
}

/** Requests that nobody makes who waits for an answer: keys and pointers do. */
const UNASKED = new Set(["textDocument/completion", "textDocument/hover", "textDocument/signatureHelp"]);

/**
 * A client whose failures are looked at by somebody. Some parts of the library leave promises alone that fail when the server is busy for long or gone; their
 * requests get no answer instead, as where there is nothing to say. What is sent waits for the server in one way, so that all stays in order.
 */
class Client extends LSPClient {
    override request<Params, Result>(method: string, params: Params): Promise<Result> {
        const answer = this.initializing.then(() => super.request<Params, Result>(method, params));
        return UNASKED.has(method) ? answer.catch(() => null as Result) : answer;
    }

    override notification<Params>(method: string, params: Params): void {
        // A server that does not begin is left, and what it should know is told to the next one.
        this.initializing.then(
            () => super.notification(method, params),
            () => {},
        );
    }
}

let client: Promise<LSPClient> | null = null;

/** Connects a client, and connects it again when its socket is lost. */
function connect(made: LSPClient, socket: WebSocket, attempt: number): LSPClient {
    let next = attempt;
    socket.onclose = () => {
        made.disconnect();
        void again(made, next);
    };
    made.connect(transport(socket));
    // A server that answers is there: what is lost later is lost for the first time.
    made.initializing.then(
        () => (next = 0),
        () => socket.close(),
    );
    return made;
}

async function again(made: LSPClient, attempt: number): Promise<void> {
    if (attempt >= ATTEMPTS) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY * 2 ** attempt));
    try {
        connect(made, await openSocket("/ws/lsp"), attempt + 1);
    } catch {
        await again(made, attempt + 1);
    }
}

/** The client of the language server, which is started for the first text. */
export function languageClient(): Promise<LSPClient> {
    client ??= openSocket("/ws/lsp").then((socket) => {
        const workspace = (owner: LSPClient) => new Files(owner);
        const made = new Client({ timeout: 15_000, sanitizeHTML: harmless, initializationOptions: { commands: true }, extensions: languageServerExtensions(), workspace });
        return connect(made, socket, 0);
    });
    client.catch(() => (client = null));
    return client;
}
