/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/run.h"

#include <stddef.h>
#include <string.h>

#include <lichen/panic.h>
#include <lichen/reset.h>
#include <lichen/time.h>

#include "load/arena.h"
#include "load/crc.h"
#include "load/partition.h"
#include "load/place.h"
#include "load/table.h"

/* The programs that run or have ended, by their rows; in the low piece of their RAM. */
static struct loaded *started[DIRECTORY_ROWS];

uint32_t run_now(void)
{
    return (uint32_t)(time_now_us() >> 6);
}

/* How long a program is young: it is on trial no longer, or has survived its start. */
static uint32_t youth(const struct directory_row *row)
{
    uint16_t confirm_s = directory_read_program(row, offsetof(struct container_header, confirm_s));

    return run_seconds(confirm_s != 0 ? confirm_s : RUN_SURVIVAL_S);
}

static bool is_young(uint8_t index)
{
    return (program_remains.young >> index & 1u) != 0;
}

static void set_young(uint8_t young)
{
    program_remains.young = young;
    program_remains.others = (uint8_t)~young;
}

static void set_grown(uint8_t index)
{
    set_young(program_remains.young & (uint8_t) ~(1u << index));
}

static bool is_whole(const struct directory_row *row)
{
    return crc16_of_flash(directory_address(row), row->bytes) == row->crc;
}

void run_stop(uint8_t index)
{
    struct loaded *loaded = started[index];

    if (loaded != 0) {
        partition_stop(&loaded->program);
        started[index] = 0;
        set_grown(index);
    }
}

static enum load_error run(uint8_t index, const struct directory_row *row)
{
    struct loaded *loaded = place_loaded(index, row);
    enum load_error error = program_fill(&loaded->program);

    if (error == LOAD_OK) {
        error = partition_bind(&loaded->program);
    }
    if (error != LOAD_OK) {
        return error;
    }
    loaded->program.failed = 0;
    loaded->was_confirmed = false;
    loaded->is_on_trial = (row->flags & DIRECTORY_ON_TRIAL) != 0;
    started[index] = loaded;
    program_remains.starting = (uint8_t)(1u << index);
    set_young(program_remains.young | program_remains.starting);
    int result = program_run(&loaded->program);
    program_remains.starting = 0;
    if (result != 0) {
        started[index] = 0;
        set_grown(index);
        return result == ERR_FULL ? LOAD_EVENTS : LOAD_ADDRESS;
    }
    loaded->due = run_now() + youth(row); /* last: reading the clock takes long on the SAM R21 */
    return LOAD_OK;
}

/* Counts a start and does it.
 * index     in: of an active row; out: DIRECTORY_NONE, or of what is to be started in its place */
static enum load_error try(uint8_t *index)
{
    struct directory_row row;
    uint8_t wanted = *index;
    enum load_error error = LOAD_CRC;

    directory_read(wanted, &row);
    if (is_whole(&row)) {
        error = table_count_start(index, &row);
        if (error == LOAD_OK && *index != wanted) {
            return LOAD_STATE;
        }
        if (error != LOAD_OK) {
            *index = DIRECTORY_NONE;
            return error;
        }
        error = run(wanted, &row);
    }
    if (error == LOAD_OK || table_replace(index, &row) != LOAD_OK) {
        *index = DIRECTORY_NONE;
    }
    return error;
}

enum load_error run_start(uint8_t index)
{
    /* One that has ended left what it was in RAM that its successor may have now. */
    run_stop(index);
    enum load_error first = try(&index);

    while (index != DIRECTORY_NONE) {
        (void)try(&index);
    }
    return first;
}

void run_stop_others(void)
{
    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        if (directory_state(index) != DIRECTORY_ACTIVE) {
            run_stop(index);
        }
    }
}

/* -------- after a start that has ended in a crash of the mote */

/* Nobody pulled the reset pin, cut the power or asked for a restart. */
static bool has_crashed(void)
{
    enum reset_cause cause = reset_cause();

    return cause == RESET_WATCHDOG ||
           (cause == RESET_SOFTWARE && program_remains.panicked == PROGRAM_PANICKED);
}

/* The active program, a bit, that a thread belongs to. */
static uint8_t owner_of(uintptr_t thread)
{
    struct directory_row row;

    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        if (directory_read(index, &row) == DIRECTORY_ACTIVE &&
            thread - (uintptr_t)(arena_begin + row.low) < row.low_bytes) {
            return (uint8_t)(1u << index);
        }
    }
    return 0;
}

/* Among the young programs the one that was being started or whose thread ran, else all of them. */
static uint8_t suspects(void)
{
    const struct panic_record *record = panic_last();
    uint8_t young = program_remains.young;
    uint8_t named = program_remains.starting;

    if ((young ^ program_remains.others) != UINT8_MAX) {
        young = UINT8_MAX;
    }
    if ((named & young) == 0 && record != 0) {
        named = owner_of(record->thread);
    }
    return (named & young) != 0 ? named & young : young;
}

/* If one of them is on trial, it is that one, whose start was counted before. */
static void count_crash(uint8_t rows)
{
    struct directory_row row;

    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        bool is_on_trial = directory_read(index, &row) == DIRECTORY_ACTIVE &&
                           (row.flags & DIRECTORY_ON_TRIAL) != 0;

        if (is_on_trial && (rows >> index & 1u) != 0) {
            return;
        }
    }
    for (uint8_t index = 0; rows != 0; index++, rows >>= 1) {
        if ((rows & 1u) != 0) {
            table_count_crash(index);
        }
    }
}

static void look_back(void)
{
    if (has_crashed()) {
        count_crash(suspects());
    }
    program_remains.panicked = 0;
    program_remains.starting = 0;
    set_young(0);
}

void run_boot(void)
{
    memset(started, 0, sizeof(started));
    look_back();
    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        if (directory_state(index) == DIRECTORY_ACTIVE && started[index] == 0) {
            /* What cannot be started is seen in lists of programs. */
            (void)run_start(index);
        }
    }
}

bool run_runs(uint8_t index)
{
    return started[index] != 0 && program_runs(&started[index]->program);
}

uint8_t run_threads(uint8_t index)
{
    return started[index] != 0 ? program_threads_alive(&started[index]->program) : 0;
}

uint8_t run_failed(uint8_t index)
{
    return started[index] != 0 ? started[index]->program.failed : 0;
}

/* Returns how long this one need not be served. */
static uint32_t serve(uint8_t index, uint32_t now)
{
    struct loaded *loaded = started[index];

    if (loaded == 0 || !(loaded->is_on_trial || is_young(index))) {
        return RUN_NEVER;
    }
    if (loaded->is_on_trial && loaded->was_confirmed) {
        /* If it cannot be written, the start after a reset asks for it again. */
        (void)table_confirm(index);
        loaded->is_on_trial = false;
    }
    uint32_t left = run_left(loaded->due, now);

    if (left == 0 && loaded->is_on_trial) {
        run_stop(index);
        (void)run_start(index); /* whatever was started, is served at once */
    } else if (left == 0) {
        set_grown(index);
        table_forget_crashes(index);
        left = RUN_NEVER;
    }
    return left;
}

uint32_t run_serve(uint32_t now)
{
    uint32_t next = RUN_NEVER;

    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        uint32_t left = serve(index, now);

        next = left < next ? left : next;
    }
    return next;
}

/* -------- an image without partitions */

enum load_error partition_bind_none(const struct program *program)
{
    (void)program;
    return LOAD_OK;
}
