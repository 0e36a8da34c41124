/* A client of the C interface: plays a game, and makes all kinds of mistakes. Prints what it finds. */
#include "rgc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(int32_t found, int32_t wanted, const char *what) {
    if (found != wanted) {
        char text[512] = "";
        rgc_last_error(text, sizeof text, NULL);
        printf("%s: %d instead of %d: %s\n", what, (int)found, (int)wanted, text);
        exit(1);
    }
}
#define OK(call) expect(call, RGC_OK, #call)
#define FAILS(call, status) expect(call, status, #call)

int main(int argc, char **argv) {
    static char text[1 << 20];
    char name[256];
    size_t length, count, needed;
    uint64_t plays, *scores;
    int32_t turn;
    rgc_game game = 0;
    rgc_state state = 0, copy = 0;
    rgc_stats stats;
    FILE *file = argc == 4 ? fopen(argv[1], "rb") : NULL;
    if (!file) return 2;
    length = fread(text, 1, sizeof text, file);
    fclose(file);

    expect((int32_t)rgc_abi_version(), RGC_ABI_VERSION, "version");
    OK(rgc_game_load(text, length, argv[2], argv[3], &game));
    OK(rgc_game_player_count(game, &count));
    for (size_t i = 0; i < count; i++) {
        OK(rgc_game_player_name(game, i, name, sizeof name, NULL));
        printf("player %s\n", name);
    }
    FAILS(rgc_game_player_name(game, count, name, sizeof name, NULL), RGC_ERROR_INDEX);
    OK(rgc_state_new(game, &state));
    for (uint32_t depth = 0; depth <= 3; depth++) {
        OK(rgc_state_perft(state, depth, &plays));
        printf("perft %llu\n", (unsigned long long)plays);
    }
    size_t players = count, names;
    OK(rgc_game_score_count(game, &names));
    scores = calloc(players * names, sizeof *scores);
    FAILS(rgc_game_playouts(game, 1, 1, &stats, scores, players * names - 1), RGC_ERROR_BUFFER);
    OK(rgc_game_playouts(game, 50, 7, &stats, scores, players * names));
    printf("stats %llu %llu %llu %llu %llu\n", (unsigned long long)stats.plays, (unsigned long long)stats.plies,
           (unsigned long long)stats.plies_squared, (unsigned long long)stats.moves,
           (unsigned long long)stats.max_moves);
    for (size_t i = 0; i < players * names; i++) printf("count %llu\n", (unsigned long long)scores[i]);
    free(scores);

    /* The first legal move, again and again. */
    OK(rgc_state_clone(state, &copy));
    OK(rgc_game_free(game));
    FAILS(rgc_game_free(game), RGC_ERROR_HANDLE);
    for (;;) {
        OK(rgc_state_turn(copy, &turn));
        if (turn == RGC_TURN_END) break;
        OK(rgc_state_move_count(copy, &count));
        OK(rgc_state_move_text(copy, 0, NULL, 0, &needed));
        OK(rgc_state_move_text(copy, 0, name, sizeof name, NULL));
        if (strlen(name) + 1 != needed) return 3;
        printf("turn %d: %zu moves, %s\n", (int)turn, count, name);
        FAILS(rgc_state_move_text(copy, 0, name, 2, NULL), RGC_ERROR_BUFFER);
        if (strlen(name) != 1) return 4;
        FAILS(rgc_state_move_text(copy, 0, name, 0, NULL), RGC_ERROR_BUFFER);
        FAILS(rgc_state_apply(copy, count), RGC_ERROR_INDEX);
        OK(rgc_state_apply(copy, 0));
    }
    OK(rgc_state_move_count(copy, &count));
    if (count != 0) return 5;
    for (size_t i = 0; i < players; i++) {
        OK(rgc_state_score(copy, i, name, sizeof name, NULL));
        printf("score %s\n", name);
    }
    FAILS(rgc_state_score(copy, players, name, sizeof name, NULL), RGC_ERROR_INDEX);

    /* Mistakes. */
    FAILS(rgc_state_new(game, &state), RGC_ERROR_HANDLE);
    FAILS(rgc_state_turn(game, &turn), RGC_ERROR_HANDLE);
    FAILS(rgc_state_turn(0, &turn), RGC_ERROR_HANDLE);
    FAILS(rgc_state_turn(state, NULL), RGC_ERROR_NULL);
    FAILS(rgc_state_move_text(state, 0, NULL, 10, NULL), RGC_ERROR_NULL);
    FAILS(rgc_game_load(NULL, 5, "rg", "auto", &game), RGC_ERROR_NULL);
    FAILS(rgc_game_load(text, length, argv[2], argv[3], NULL), RGC_ERROR_NULL);
    FAILS(rgc_game_load("\xff\xfe", 2, NULL, NULL, &game), RGC_ERROR_TEXT);
    FAILS(rgc_game_load(text, length, "latin", NULL, &game), RGC_ERROR_LANGUAGE);
    FAILS(rgc_game_load(text, length, argv[2], "steam", &game), RGC_ERROR_ENGINE);
    FAILS(rgc_game_load("type", 4, NULL, NULL, &game), RGC_ERROR_GAME);
    OK(rgc_last_error(name, sizeof name, &needed));
    if (strlen(name) == 0 || !strstr(name, "error")) return 6;
    OK(rgc_state_free(copy));
    FAILS(rgc_state_free(copy), RGC_ERROR_HANDLE);
    FAILS(rgc_state_clone(copy, &state), RGC_ERROR_HANDLE);
    OK(rgc_state_free(state));
    printf("done\n");
    return 0;
}
