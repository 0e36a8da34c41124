/*
 * C interface of rgc, the engine for General Game Playing.
 *
 * Every function but rgc_abi_version answers RGC_OK or an error, after which rgc_last_error has a text for people. Results go
 * to where pointers say; after an error nothing is written, but texts that are too long (see below). All pointers have to be
 * valid for the call, or null where that is allowed; null elsewhere is answered with RGC_ERROR_NULL.
 *
 * Games and states are handles: numbers that are given out once, 0 never. A handle that was given back, or never given
 * out, is answered with RGC_ERROR_HANDLE. Handles may be used by all threads; a state is used by one thread at a time, others
 * wait.
 *
 * A text goes to `buffer`, which has `size` bytes, with a zero byte at its end. If it does not fit, as much as does is
 * written and the answer is RGC_ERROR_BUFFER. `needed`, unless it is null, is given the number of bytes that the text
 * needs. With `buffer` null and `size` 0, that number is all that is asked for. Texts are UTF-8.
 */
#ifndef RGC_H
#define RGC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface; rgc_abi_version tells that of the library. */
#define RGC_ABI_VERSION 1

#define RGC_OK 0
#define RGC_ERROR_NULL 1     /* a pointer is null, or not aligned */
#define RGC_ERROR_HANDLE 2   /* there is no such game or state */
#define RGC_ERROR_TEXT 3     /* a text is not UTF-8 */
#define RGC_ERROR_LANGUAGE 4 /* there is no such language */
#define RGC_ERROR_ENGINE 5   /* there is no such engine */
#define RGC_ERROR_GAME 6     /* the rules have errors */
#define RGC_ERROR_RUN 7      /* the rules went wrong in play: nobody can move, moves are ambiguous, limits */
#define RGC_ERROR_INDEX 8    /* there is no such move, player or score */
#define RGC_ERROR_BUFFER 9   /* a buffer is too small */
#define RGC_ERROR_PANIC 10   /* a defect of the library */

/* Answers of rgc_state_turn that are no player. */
#define RGC_TURN_RANDOM (-1) /* chance: all legal moves are equally likely */
#define RGC_TURN_END (-2)    /* nobody: the play is over */

typedef uint64_t rgc_game;
typedef uint64_t rgc_state;

/* Sums over playouts. */
typedef struct rgc_stats {
    uint64_t plays;         /* finished plays */
    uint64_t plies;         /* moves made by players, not by chance */
    uint64_t plies_squared; /* sum over plays of the square of their plies */
    uint64_t moves;         /* sum over the players' decisions of the number of legal moves */
    uint64_t max_moves;     /* greatest number of legal moves of a decision */
} rgc_stats;

uint32_t rgc_abi_version(void);

/* The text of the last error of this thread. This function leaves it as it is. */
int32_t rgc_last_error(char *buffer, size_t size, size_t *needed);

/*
 * Reads a game of `length` bytes. `language` is "rg" (null means that, too), "hrg", "rbg", "sbg" or "json"; `engine` is "auto"
 * (or null: the fastest one) or another name that `rgc perft --help` lists.
 */
int32_t rgc_game_load(const char *text, size_t length, const char *language, const char *engine, rgc_game *game);
/* Gives a game back. Its states can still be used. */
int32_t rgc_game_free(rgc_game game);
/* Name of the engine that runs. */
int32_t rgc_game_engine(rgc_game game, char *buffer, size_t size, size_t *needed);
int32_t rgc_game_player_count(rgc_game game, size_t *count);
int32_t rgc_game_player_name(rgc_game game, size_t player, char *buffer, size_t size, size_t *needed);
/* The scores that there can be. */
int32_t rgc_game_score_count(rgc_game game, size_t *count);
int32_t rgc_game_score_name(rgc_game game, size_t score, char *buffer, size_t size, size_t *needed);
/*
 * Plays `count` playouts from the first state; equal seeds and counts give equal plays. `scores`, unless it is null, has room for
 * `capacity` counts, at least the number of players times that of scores: how often player p reached score s, at
 * p * (number of scores) + s.
 */
int32_t rgc_game_playouts(rgc_game game, uint64_t count, uint64_t seed, rgc_stats *stats, uint64_t *scores,
                          size_t capacity);

/* The state of the first decision. */
int32_t rgc_state_new(rgc_game game, rgc_state *state);
int32_t rgc_state_clone(rgc_state state, rgc_state *copy);
int32_t rgc_state_free(rgc_state state);
/* A player's index, or RGC_TURN_RANDOM, or RGC_TURN_END. */
int32_t rgc_state_turn(rgc_state state, int32_t *turn);
/* Number of the legal moves; 0 at the end. They keep their order until a move is made. */
int32_t rgc_state_move_count(rgc_state state, size_t *count);
/* A legal move: its tags, separated by spaces. */
int32_t rgc_state_move_text(rgc_state state, size_t index, char *buffer, size_t size, size_t *needed);
/* Makes a legal move. After an error the state is as before. */
int32_t rgc_state_apply(rgc_state state, size_t index);
/* A player's score; final once the play is over. */
int32_t rgc_state_score(rgc_state state, size_t player, char *buffer, size_t size, size_t *needed);
/* Number of plays of exactly `depth` moves from this state. */
int32_t rgc_state_perft(rgc_state state, uint32_t depth, uint64_t *plays);

#ifdef __cplusplus
}
#endif

#endif
