// Requests to the server and its notifications, over one socket.

import type { Failure } from "./types";

type Listener = (params: any) => void;

/** The secret in the fragment of the address. */
export function secret(): string {
    return new URLSearchParams(location.hash.slice(1)).get("t") ?? "";
}

/** Opens a socket of the server, and sends the secret first. */
export function openSocket(path: string): Promise<WebSocket> {
    return new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://${location.host}${path}`);
        socket.onopen = () => {
            socket.send(JSON.stringify({ token: secret() }));
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

/** What is shown of anything that was thrown. */
export function failureOf(error: unknown): Failure {
    if (error instanceof RequestError) return error.failure;
    return { code: "page", message: error instanceof Error ? error.message : String(error) };
}

export class Connection {
    private next = 1;
    private readonly waiting = new Map<number, { resolve: (value: any) => void; reject: (error: unknown) => void }>();
    private readonly listeners = new Map<string, Set<Listener>>();

    private constructor(private readonly socket: WebSocket, lost: (reason: string) => void) {
        socket.onmessage = (event) => this.receive(JSON.parse(event.data));
        socket.onclose = (event) => {
            for (const { reject } of this.waiting.values()) reject(new Error("the server is gone"));
            this.waiting.clear();
            lost(event.reason);
        };
    }

    static async open(lost: (reason: string) => void): Promise<Connection> {
        return new Connection(await openSocket("/ws/app"), lost);
    }

    request<T>(method: string, params: object = {}): Promise<T> {
        const id = this.next++;
        return new Promise((resolve, reject) => {
            if (this.socket.readyState !== WebSocket.OPEN) {
                reject(new Error("the server is gone"));
                return;
            }
            this.waiting.set(id, { resolve, reject });
            this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
        });
    }

    /** Calls a listener for each notification of a kind; the result ends that. */
    on<T>(method: string, listener: (params: T) => void): () => void {
        const all = this.listeners.get(method) ?? new Set();
        this.listeners.set(method, all);
        all.add(listener);
        return () => all.delete(listener);
    }

    private receive(message: any): void {
        if (message.method) {
            for (const listener of this.listeners.get(message.method) ?? []) listener(message.params);
            return;
        }
        const waiting = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (!waiting) return;
        if (message.error) waiting.reject(new RequestError(message.error));
        else waiting.resolve(message.result);
    }
}
