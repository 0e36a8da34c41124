// Requests to the server and its notifications, over one socket.

import type { Failure } from "./types";

type Listener = (params: any) => void;

/** Bytes of a message at most: the server closes the socket of larger ones. */
const MAX_MESSAGE = 4 << 20;

/** Whether a message is small enough to be sent. */
export function fits(message: string): boolean {
    return 3 * message.length <= MAX_MESSAGE || new TextEncoder().encode(message).length <= MAX_MESSAGE;
}

/** The secret in the fragment of the address with which the page was opened. */
export const secret = new URLSearchParams(location.hash.slice(1)).get("t") ?? "";

/** Opens a socket of the server, and sends the secret first. */
export function openSocket(path: string): Promise<WebSocket> {
    return new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://${location.host}${path}`);
        socket.onopen = () => {
            socket.send(JSON.stringify({ token: secret }));
            resolve(socket);
        };
        socket.onerror = () => reject(new Error("The server does not answer, or too many of its pages are open."));
    });
}

export class RequestError extends Error {
    constructor(readonly failure: Failure) {
        super(failure.message);
    }
}

/** The failure of whatever is asked for while there is no server, which the page says once. */
export const GONE: Failure = { code: "gone", message: "The server is gone." };

/** What is shown of anything that was thrown. */
export function failureOf(error: unknown): Failure {
    if (error instanceof RequestError) return error.failure;
    return { code: "page", message: error instanceof Error ? error.message : String(error) };
}

/** Whether nothing has failed that is to be told: an answer is about a text that has changed since, and the next one is under way; or there is no server, which is told by itself. */
export function isOutdated(error: unknown): boolean {
    return ["stopped", GONE.code].includes(failureOf(error).code);
}

const listeners = new Map<string, Set<Listener>>();

/** Calls a listener for each notification of a kind, also before there is a connection; the result ends that. */
export function onNotification<T>(method: string, listener: (params: T) => void): () => void {
    const all = listeners.get(method) ?? new Set();
    listeners.set(method, all);
    all.add(listener);
    return () => all.delete(listener);
}

export class Connection {
    private next = 1;
    private readonly waiting = new Map<number, { resolve: (value: any) => void; reject: (error: unknown) => void }>();

    private constructor(private readonly socket: WebSocket, lost: (reason: string) => void) {
        socket.onmessage = (event) => this.receive(JSON.parse(event.data));
        socket.onclose = (event) => {
            lost(event.reason);
            for (const { reject } of this.waiting.values()) reject(new RequestError(GONE));
            this.waiting.clear();
        };
    }

    static async open(lost: (reason: string) => void): Promise<Connection> {
        return new Connection(await openSocket("/ws/app"), lost);
    }

    request<T>(method: string, params: object = {}): Promise<T> {
        const id = this.next++;
        return new Promise((resolve, reject) => {
            if (this.socket.readyState !== WebSocket.OPEN) {
                reject(new RequestError(GONE));
                return;
            }
            const message = JSON.stringify({ jsonrpc: "2.0", id, method, params });
            if (!fits(message)) {
                reject(new Error("The text is too large to be sent: texts of a page have 2 MiB at most. It stays in the editor; nothing of it is saved."));
                return;
            }
            this.waiting.set(id, { resolve, reject });
            this.socket.send(message);
        });
    }

    private receive(message: any): void {
        if (message.method) {
            for (const listener of listeners.get(message.method) ?? []) listener(message.params);
            return;
        }
        const waiting = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (!waiting) return;
        if (message.error) waiting.reject(new RequestError(message.error));
        else waiting.resolve(message.result);
    }
}
