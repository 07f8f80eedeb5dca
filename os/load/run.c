/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/run.h"

#include <stddef.h>

#include <lichen/time.h>

#include "load/crc.h"
#include "load/partition.h"
#include "load/place.h"
#include "load/table.h"

/* The programs that run or have ended, by their rows; in the low piece of their RAM. */
static struct loaded *started[DIRECTORY_ROWS];

static uint16_t confirm_s(const struct directory_row *row)
{
    return code_read(directory_address(row) + offsetof(struct container_header, confirm_s));
}

static bool is_whole(const struct directory_row *row)
{
    return crc16_of_flash(directory_address(row), row->bytes) == row->crc;
}

void run_stop(uint8_t index)
{
    struct loaded *loaded = started[index];

    if (loaded != 0) {
        program_stop(&loaded->program);
        started[index] = 0;
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
    loaded->was_confirmed = false;
    loaded->is_on_trial = (row->flags & DIRECTORY_ON_TRIAL) != 0;
    if (loaded->is_on_trial) {
        loaded->due = time_now_us() + confirm_s(row) * TIME_US_PER_S;
    }
    started[index] = loaded;
    if (program_run(&loaded->program) != 0) {
        started[index] = 0;
        return LOAD_ADDRESS;
    }
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
        if (error != LOAD_OK || *index != wanted) {
            *index = error != LOAD_OK ? DIRECTORY_NONE : *index;
            return error != LOAD_OK ? error : LOAD_STATE;
        }
        *index = DIRECTORY_NONE;
        error = run(wanted, &row);
    }
    if (error != LOAD_OK) {
        *index = wanted;
        if (table_replace(index, &row) != LOAD_OK) {
            *index = DIRECTORY_NONE;
        }
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
    struct directory_row row;

    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        directory_read(index, &row);
        if (row.state != DIRECTORY_ACTIVE || (row.flags & DIRECTORY_KEPT) != 0) {
            run_stop(index);
        }
    }
}

void run_boot(void)
{
    struct directory_row row;

    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        directory_read(index, &row);
        if (row.state == DIRECTORY_ACTIVE && (row.flags & DIRECTORY_KEPT) == 0 &&
            started[index] == 0) {
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

void run_forget(void)
{
    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        started[index] = 0;
    }
}

/* Returns when this one is to be served again. */
static uint64_t serve(uint8_t index, uint64_t now)
{
    struct loaded *loaded = started[index];

    if (loaded == 0 || !loaded->is_on_trial) {
        return TIME_NEVER;
    }
    if (loaded->was_confirmed) {
        /* If it cannot be written, the start after a reset asks for it again. */
        (void)table_confirm(index);
        loaded->is_on_trial = false;
        return TIME_NEVER;
    }
    if (now < loaded->due) {
        return loaded->due;
    }
    run_stop(index);
    (void)run_start(index);
    return now; /* whatever was started */
}

uint64_t run_serve(uint64_t now)
{
    uint64_t next = TIME_NEVER;

    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        uint64_t at = serve(index, now);

        next = at < next ? at : next;
    }
    return next;
}

/* -------- an image without partitions */

enum load_error partition_bind_none(const struct program *program)
{
    (void)program;
    return LOAD_OK;
}
