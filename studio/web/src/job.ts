// Work that the server does in the background: it reports, and can be stopped.

import { useEffect, useState } from "preact/hooks";
import { failureOf } from "./rpc";
import { store } from "./store";
import type { Failure } from "./types";

export interface Job {
    isRunning: boolean;
    failure: Failure | null;
    start: (method: string, params: object) => void;
    stop: () => void;
}

/** Work that reports to `report`, one at a time. */
export function useJob(report: (kind: string, what: any) => void): Job {
    const [number, setNumber] = useState<number | null>(null);
    const [failure, setFailure] = useState<Failure | null>(null);
    const start = (method: string, params: object) => {
        setFailure(null);
        // Reports may come before the answer is looked at.
        const early: { job: number; kind: string; what: any }[] = [];
        const end = store.connection.on<{ job: number; kind: string; what: any }>("job", (message) => early.push(message));
        store.connection
            .request<{ job: number }>(method, params)
            .then(({ job }) => {
                setNumber(job);
                early.filter((message) => message.job === job).forEach(({ kind, what }) => receive(kind, what));
            })
            .catch((error) => setFailure(failureOf(error)))
            .finally(end);
    };
    const receive = (kind: string, what: any) => {
        if (kind !== "end") return report(kind, what);
        setNumber(null);
        if (what) setFailure(what);
    };
    useEffect(() => {
        if (number === null) return;
        return store.connection.on<{ job: number; kind: string; what: any }>("job", ({ job, kind, what }) => job === number && receive(kind, what));
    });
    useEffect(() => {
        if (number === null) return;
        return () => void store.connection.request("job.stop", { number }).catch(() => {});
    }, [number]);
    return { isRunning: number !== null, failure, start, stop: () => setNumber(null) };
}
