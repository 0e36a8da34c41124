// The language server, over a socket of its own.

import { LSPClient, languageServerExtensions, type Transport } from "@codemirror/lsp-client";
import { openSocket } from "./rpc";

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

function transport(socket: WebSocket): Transport {
    const handlers = new Set<(message: string) => void>();
    socket.onmessage = (event) => handlers.forEach((handler) => handler(String(event.data)));
    return {
        send: (message) => {
            if (socket.readyState === WebSocket.OPEN) socket.send(message);
        },
        subscribe: (handler) => void handlers.add(handler),
        unsubscribe: (handler) => void handlers.delete(handler),
    };
}

let client: Promise<LSPClient> | null = null;

/** The client of the language server, which is started for the first text. */
export function languageClient(): Promise<LSPClient> {
    client ??= openSocket("/ws/lsp").then((socket) => {
        const made = new LSPClient({ timeout: 15_000, sanitizeHTML: harmless, extensions: languageServerExtensions() });
        return made.connect(transport(socket));
    });
    return client;
}
