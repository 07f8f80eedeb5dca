/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Power fails at every operation of the flash in everything that the loader does, and again in the
 * start after it: then all programs are what they were before or what they should be, whole, and
 * what was done can be done again.
 *
 *     power SEED ROUNDS
 *
 * A round has all scenarios, all operations and all ways in which a page can be torn.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lichen/loader.h>

#include "../host/host.h"
#include "../mote/mote.h"
#include "load/crc.h"
#include "load/directory.h"
#include "load/error.h"
#include "scenarios.h"

/* What is seen after a start. */
struct seen {
    struct loader_program programs[LOADER_PROGRAMS]; /* those that are there, by name and version */
    uint16_t floor;                                  /* of b */
    struct loader_room room;
};

static const struct scenario *scenario;
static uint32_t operation;
static enum mote_torn torn;
static uint32_t seed;
static unsigned long cuts;

static void tell(void)
{
    fprintf(stderr, "%s: operation %lu, torn %d, seed %lu\n", scenario->name,
            (unsigned long)operation, torn, (unsigned long)seed);
}

/* -------- what is there before is not written */

static bool is_taken[MOTE_PAGES];

static void note_taken(void)
{
    struct directory_row row;

    memset(is_taken, 0, sizeof(is_taken));
    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        directory_read(index, &row);
        for (uint16_t i = 0; row.state != DIRECTORY_FREE && i < directory_pages(&row); i++) {
            is_taken[row.first_page - MOTE_BEGIN / CODE_PAGE + i] = true;
        }
    }
}

static bool may_write(uint32_t page)
{
    return page < MOTE_BEGIN || !is_taken[(page - MOTE_BEGIN) / CODE_PAGE];
}

/* -------- what is seen */

static int compare_programs(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(struct loader_program));
}

/* It is in flash as its container has it, and runs if it should. */
static void check_program(uint8_t index, const struct loader_program *program)
{
    struct directory_row row;
    char name[LOADER_NAME_BYTES];

    strcpy(name, program->name);
    name[strcspn(name, ".")] = 0;
    const struct mote_container *container = scenario_container(name, program->version);

    directory_read(index, &row);
    require(row.bytes == container->block_bytes);
    require(memcmp(mote_flash(directory_address(&row)), container->block, row.bytes) == 0);
    require(program->runs == (program->state == LOADER_ACTIVE));
}

static void look(struct seen *seen)
{
    struct directory_floor floor;

    memset(seen, 0, sizeof(*seen));
    for (uint8_t index = 0; index < LOADER_PROGRAMS; index++) {
        struct loader_program *program = &seen->programs[index];

        loader_look(index, program);
        if (program->state != LOADER_FREE) {
            check_program(index, program);
        }
        /* Each start counts, and there was another one. */
        program->failures = 0;
    }
    qsort(seen->programs, LOADER_PROGRAMS, sizeof(seen->programs[0]), compare_programs);
    directory_read_floor(0, &floor);
    seen->floor = floor.version;
    loader_look_room(&seen->room);
    /* Where a program lies may differ, and with it the holes. */
    seen->room.flash_hole = seen->room.ram_hole = 0;
}

static bool is_same(const struct seen *one, const struct seen *other)
{
    return memcmp(one, other, sizeof(*one)) == 0;
}

/* -------- a cut */

static void prepare(void)
{
    mote_may_write = 0;
    mote_erase();
    mote_boot();
    scenario->prepare();
    note_taken();
}

/* Starts; power fails in that, too, if `again` says at which operation. */
static void start_again(uint32_t again)
{
    if (setjmp(mote_power) == 0) {
        mote_cut(again, torn);
        mote_boot();
    } else {
        cuts++;
        mote_boot();
    }
    mote_cut(UINT32_MAX, torn);
}

/* Returns false if all was done before that operation. */
static bool cut(const struct seen *before, const struct seen *after)
{
    struct seen seen;

    prepare();
    mote_may_write = may_write;
    if (setjmp(mote_power) == 0) {
        mote_cut(operation, torn);
        scenario->act();
        mote_cut(UINT32_MAX, torn);
        return false;
    }
    cuts++;
    mote_may_write = 0;
    start_again(mote_below(3) == 0 && !scenario->shows_nothing ? 0 : UINT32_MAX);
    look(&seen);
    require(is_same(&seen, before) || is_same(&seen, after));
    if (!scenario->shows_nothing) {
        scenario->act();
        look(&seen);
        require(is_same(&seen, after));
    }
    return true;
}

static void run(void)
{
    struct seen before;
    struct seen after;

    torn = TORN_BEFORE;
    prepare();
    mote_boot();
    look(&before);
    prepare();
    scenario->act();
    mote_boot();
    look(&after);
    require(is_same(&before, &after) == scenario->shows_nothing);
    for (torn = TORN_BEFORE; torn < TORN_WAYS; torn++) {
        operation = 0;
        while (cut(&before, &after)) {
            operation++;
        }
        require(operation > 0);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: power SEED ROUNDS\n");
        return 2;
    }
    unsigned long rounds = strtoul(argv[2], 0, 10);

    scenario = scenarios;
    host_at_death(tell);
    for (unsigned long round = 0; round < rounds; round++) {
        seed = (uint32_t)(strtoul(argv[1], 0, 10) + round);
        mote_seed(seed);
        for (unsigned i = 0; i < scenario_count; i++) {
            scenario = &scenarios[i];
            run();
        }
    }
    printf("%lu cuts of power in %u scenarios\n", cuts, scenario_count);
    return 0;
}
