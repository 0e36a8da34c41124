// A game that was played elsewhere, in the panel Play, where the own game waits meanwhile.

import { store } from "./store";
import type { Position } from "./types";

/** What the panel Play is told of it. */
export interface Replayed {
    position: Position;
    /** What it is called, and who has played. */
    name: string;
    players: string[];
}

/** Plays the moves of a game in a new play, and shows the position after some of them. */
export async function replay(of: { game: number; version: number; players: string[] }, { moves, ply }: { moves: string[]; ply: number }, name: string): Promise<void> {
    const { game, version, players } = of;
    const { connection } = store;
    const { play } = await connection.request<Position>("play.new", { game, version, seats: players.map(() => null), seed: 0 });
    try {
        await connection.request<Position>("play.do", { play, do: "replay", moves });
        const position = await connection.request<Position>("play.do", { play, do: "goto", ply });
        store.set({ panel: "play" });
        dispatchEvent(new CustomEvent<Replayed>("replay", { detail: { position, name, players } }));
    } catch (error) {
        void connection.request("play.end", { number: play }).catch(() => {});
        throw error;
    }
}
