/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Installs one version of a program after the other, and removes it at times, for a host that cuts
 * the power at any moment. The lines that it prints:
 *
 *     found 17       at the start: this version of the program is installed, whole, and runs; 0:
 * none broken ...     at the start, and never right: something else is there ready begins 18 this
 * version is being installed installed 18   it is removes removed        there is none failed ...
 * never right either
 *
 * Odd versions are on trial until they confirm, which they do at once.
 */
#include <lichen/loader.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../../mote/loader/container.h"
#include "load/arena.h"
#include "load/directory.h"

LOADER(PRIORITY_HIGH);

enum {
    PIECE = 64,
    COUNTS_MS = 45,
    CONFIRMS_MS = 25,
};

static uint8_t step_of(uint16_t version)
{
    return (uint8_t)(1 + version % 7);
}

/* What runs counts in its version's steps. */
static bool counts(uint8_t index, uint16_t version)
{
    struct directory_row row;

    directory_read(index, &row);
    uint8_t before = arena_begin[row.data];
    sleep_ms(COUNTS_MS);
    uint8_t counted = arena_begin[row.data] - before;

    return counted != 0 && counted % step_of(version) == 0;
}

/* The version that is installed. */
static uint16_t look(void)
{
    struct loader_program program;
    uint16_t found = 0;

    for (uint8_t index = 0; index < LOADER_PROGRAMS; index++) {
        loader_look(index, &program);
        if (program.state == LOADER_FREE || program.is_old || program.state == LOADER_DEAD) {
            continue;
        }
        if (found != 0 || !program.runs || !counts(index, program.version)) {
            print("broken %u state %u\n", program.version, program.state);
        }
        found = program.version;
    }
    return found;
}

static int install(uint16_t version)
{
    const struct counting counting = {
        .version = version,
        .confirm_s = version % 2 ? 5 : 0,
        .confirms = 1,
        .step = step_of(version),
    };

    container_make(&counting);
    int error = loader_begin(0);
    for (uint16_t at = 0; at < container_bytes && error == 0; at += PIECE) {
        uint16_t left = container_bytes - at;

        error = loader_feed(container + at, left < PIECE ? left : PIECE);
    }
    return error != 0 ? error : loader_end();
}

static void take_turn(uint16_t version)
{
    print("begins %u\n", version);
    int error = install(version);
    if (error != 0) {
        print("failed %d\n", error);
    }
    print("installed %u\n", version);
    sleep_ms(CONFIRMS_MS);
    if (version % 5 == 4) {
        print("removes\n");
        error = loader_remove("cnt");
        if (error != 0) {
            print("failed %d\n", error);
        }
        print("removed\n");
    }
}

THREAD(upgrader, 640, PRIORITY_APP)
{
    uint16_t version = look();

    print("found %u\nready\n", version);
    for (;;) {
        take_turn(++version);
    }
}
