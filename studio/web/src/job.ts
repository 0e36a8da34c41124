// Work that the server does in the background: it reports, and can be stopped.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { failureOf, onNotification } from "./rpc";
import { store } from "./store";
import type { Failure } from "./types";

export interface Job {
    isRunning: boolean;
    /** The last one was stopped by the reader before its end. */
    isStopped: boolean;
    failure: Failure | null;
    start: (method: string, params: object) => void;
    stop: () => void;
}

interface Message {
    job: number;
    kind: string;
    what: any;
}

/** One piece of work. */
interface Run {
    /** Nothing before the server has answered. */
    number: number | null;
    /** What was reported before the answer, of this work or of earlier one: short work can be done by then. */
    early: Message[];
    /** Whether it was stopped, maybe before the server has answered. */
    isStopped: boolean;
}

/** Work that reports to `report`, one at a time. */
export function useJob(report: (kind: string, what: any) => void): Job {
    const [isRunning, setRunning] = useState(false);
    const [isStopped, setStopped] = useState(false);
    const [failure, setFailure] = useState<Failure | null>(null);
    const run = useRef<Run | null>(null);
    const latest = useRef(report);
    latest.current = report;
    const leave = () => {
        const left = run.current;
        run.current = null;
        if (!left) return;
        left.isStopped = true;
        if (left.number !== null) store.connection.request("job.stop", { number: left.number }).catch(() => {});
    };
    const receive = ({ job, kind, what }: Message) => {
        const now = run.current;
        if (now?.number === null) now.early.push({ job, kind, what });
        if (now?.number !== job) return;
        if (kind !== "end") return latest.current(kind, what);
        run.current = null;
        setRunning(false);
        if (what) setFailure(what);
    };
    const start = (method: string, params: object) => {
        leave();
        const own: Run = { number: null, early: [], isStopped: false };
        run.current = own;
        setRunning(true);
        setStopped(false);
        setFailure(null);
        store.connection
            .request<{ job: number }>(method, params)
            .then(({ job }) => {
                own.number = job;
                if (own.isStopped) return store.connection.request("job.stop", { number: job });
                own.early.filter((message) => message.job === job).forEach(receive);
            })
            .catch((error) => {
                if (run.current !== own) return;
                run.current = null;
                setRunning(false);
                setFailure(failureOf(error));
            });
    };
    const stop = () => {
        leave();
        setRunning(false);
        setStopped(true);
    };
    // Reports are heard from the first moment: none is lost however late the page is shown.
    useLayoutEffect(() => {
        const end = onNotification<Message>("job", receive);
        return () => {
            end();
            leave();
        };
    }, []);
    return { isRunning, isStopped, failure, start, stop };
}
