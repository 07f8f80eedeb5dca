/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The loader's calls and its thread. Each of them has the turn (turn.h).
 *
 * While a container arrives, the page of flash that is being filled is its own: what would write
 * the directory waits (trials) or is refused (LOAD_STATE).
 */
#include <lichen/loader.h>

#include <string.h>

#include <lichen/kernel.h>
#include <lichen/notify.h>
#include <lichen/time.h>

#include "load/install.h"
#include "load/place.h"
#include "load/region.h"
#include "load/run.h"
#include "load/table.h"
#include "load/thread.h"
#include "load/turn.h"

_Static_assert((int)LOADER_PROGRAMS == DIRECTORY_ROWS && (int)LOADER_FAILURES == TABLE_FAILURES &&
                   (int)LOADER_FREE == DIRECTORY_FREE &&
                   (int)LOADER_VERIFIED == DIRECTORY_VERIFIED &&
                   (int)LOADER_ACTIVE == DIRECTORY_ACTIVE && (int)LOADER_DEAD == DIRECTORY_DEAD,
               "lichen/loader.h");

/* In images that take programs over their serial console, and from other motes. */
#pragma weak load_serial_serve
#pragma weak load_air_serve
#pragma weak load_air_retry

NOTIFY(loader_work);

/* With a container that is arriving; guarded by the turn. */
static struct {
    uint64_t end;
    uint32_t position; /* of its bytes, when that was set */
} patience;

/* Names of a crash are in the flash of its program, which may be erased from now on. */
static void forget_crash(void)
{
    const struct program_crash *crash = program_crash_look();
    struct directory_row row;

    if (crash != 0) {
        directory_read(crash->slot, &row);
        if (row.state == DIRECTORY_FREE) {
            program_crash_forget();
        }
    }
}

/* The loader's thread looks what there is to do. */
static int end_with_work(enum load_error error)
{
    notify_post(&loader_work);
    return turn_end(error);
}

/* -------- installing */

int loader_begin(uint8_t instance)
{
    turn_begin();
    install_begin(instance);
    patience.position = UINT32_MAX;
    return end_with_work(LOAD_OK);
}

int loader_feed(const void *bytes, uint16_t count)
{
    turn_begin();
    return turn_end(install_feed(bytes, count));
}

/* Not inline: the row is not on the stack while a program is started. */
static __attribute__((noinline)) bool is_active(uint8_t index)
{
    struct directory_row row;

    directory_read(index, &row);
    return row.state == DIRECTORY_ACTIVE;
}

/* What cannot run is not left there. */
static enum load_error first_start(uint8_t index)
{
    enum load_error error = run_start(index);

    if (error != LOAD_OK && is_active(index)) {
        (void)table_remove((uint8_t)(1u << index));
    }
    return error;
}

enum load_error loader_finish(void)
{
    uint8_t index;
    enum load_error error = install_end(&index);

    if (error == LOAD_OK) {
        run_stop_others();
        forget_crash();
        error = first_start(index);
    }
    return error;
}

int loader_end(void)
{
    turn_begin();
    return end_with_work(loader_finish());
}

void loader_give_up(void)
{
    turn_begin();
    install_give_up();
    (void)end_with_work(LOAD_OK);
}

uint32_t loader_position(void)
{
    return install_position();
}

/* -------- by name */

/* Begins a change of a program.
 * rows      those of its key
 * index     the program's, or DIRECTORY_NONE: they are all dead */
static enum load_error begin_change(const char *name, uint8_t *rows, uint8_t *index,
                                    struct directory_row *row)
{
    struct table_key key;

    turn_begin();
    if (install_is_busy()) {
        return LOAD_STATE;
    }
    if (!table_key_of(name, &key)) {
        return LOAD_NONE;
    }
    *rows = table_rows(&key);
    *index = table_program(*rows, row);
    return *rows == 0 ? LOAD_NONE : LOAD_OK;
}

static enum load_error start(uint8_t index, const struct directory_row *row)
{
    if (index == DIRECTORY_NONE || run_runs(index)) {
        return LOAD_STATE;
    }
    if (row->state != DIRECTORY_ACTIVE) {
        enum load_error error = table_set_active(index, true);

        if (error != LOAD_OK) {
            return error;
        }
    }
    return run_start(index);
}

int loader_start(const char *name)
{
    struct directory_row row;
    uint8_t rows;
    uint8_t index;
    enum load_error error = begin_change(name, &rows, &index, &row);

    return end_with_work(error != LOAD_OK ? error : start(index, &row));
}

static enum load_error stop(uint8_t index, const struct directory_row *row)
{
    if (index == DIRECTORY_NONE || row->state != DIRECTORY_ACTIVE) {
        return LOAD_STATE;
    }
    enum load_error error = table_set_active(index, false);

    if (error == LOAD_OK) {
        run_stop(index);
    }
    return error;
}

int loader_stop(const char *name)
{
    struct directory_row row;
    uint8_t rows;
    uint8_t index;
    enum load_error error = begin_change(name, &rows, &index, &row);

    return turn_end(error != LOAD_OK ? error : stop(index, &row));
}

int loader_remove(const char *name)
{
    struct directory_row row;
    uint8_t rows;
    uint8_t index;
    enum load_error error = begin_change(name, &rows, &index, &row);

    if (error == LOAD_OK) {
        error = table_remove(rows);
    }
    if (error == LOAD_OK) {
        run_stop_others();
        forget_crash();
        if (&load_air_retry != 0) {
            load_air_retry();
        }
    }
    return turn_end(error);
}

void loader_look(uint8_t index, struct loader_program *program)
{
    struct directory_row row;
    struct table_key key;

    memset(program, 0, sizeof(*program));
    turn_begin();
    directory_read(index, &row);
    if (row.state != DIRECTORY_FREE) {
        table_key_of_row(&row, &key);
        table_text(&key, program->name);
        program->version = table_version(&row);
        program->flash_bytes = directory_pages(&row) * CODE_PAGE;
        program->low_bytes = row.low_bytes;
        program->data_bytes = row.data_bytes;
        program->state = row.state;
        program->failures = row.failures;
        program->runs = run_runs(index);
        program->threads = run_threads(index);
        program->is_on_trial = (row.flags & DIRECTORY_ON_TRIAL) != 0;
        program->is_old = (row.flags & DIRECTORY_KEPT) != 0;
    }
    (void)turn_end(LOAD_OK);
}

void loader_look_room(struct loader_room *room)
{
    struct region_room flash;
    struct region_room ram;

    turn_begin();
    region_look_flash(&flash);
    region_look_ram(&ram);
    *room = (struct loader_room){.flash_bytes = flash.bytes,
                                 .flash_hole = flash.hole,
                                 .ram_bytes = (uint16_t)ram.bytes,
                                 .ram_hole = (uint16_t)ram.hole,
                                 .programs = table_count_free()};
    (void)turn_end(LOAD_OK);
}

int loader_set_floor(const char *name)
{
    struct directory_row row;
    struct table_key key;
    uint8_t rows;
    uint8_t index;
    enum load_error error = begin_change(name, &rows, &index, &row);

    if (error == LOAD_OK && (index == DIRECTORY_NONE || (row.flags & DIRECTORY_ON_TRIAL) != 0)) {
        error = LOAD_STATE;
    }
    if (error == LOAD_OK) {
        table_key_of_row(&row, &key);
        error = table_set_floor(&key, table_version(&row));
    }
    return turn_end(error);
}

/* -------- the thread */

static int find_caller(void *program)
{
    *(struct program **)program = program_of(thread_self());
    return 0;
}

static struct program *caller(void)
{
    struct program *program;

    (void)kernel_run(find_caller, &program);
    return program;
}

void loader_confirmed(struct program *program)
{
    struct loaded *loaded = (struct loaded *)(void *)program;

    loaded->was_confirmed = true;
    notify_post(&loader_work);
}

void loader_confirm(void)
{
    struct program *program = caller();

    if (program != 0) {
        loader_confirmed(program);
    }
}

uint16_t loader_version(void)
{
    const struct program *program = caller();

    return program == 0 ? 0 : program->header->version;
}

/* When the container that is arriving is given up, if nothing of it comes. */
static uint64_t patience_ends(uint64_t now)
{
    if (!install_is_busy()) {
        return now;
    }
    if (patience.position != install_position()) {
        patience.position = install_position();
        patience.end = now + LOADER_PATIENCE_S * TIME_US_PER_S;
    }
    return patience.end;
}

uint64_t loader_serve(void)
{
    turn_begin();
    uint64_t now = time_now_us();
    uint64_t next = patience_ends(now);

    if (now >= next) {
        install_give_up();
        next = run_serve(now);
    }
    (void)turn_end(LOAD_OK);
    return next;
}

void loader_boot(void)
{
    turn_forget();
    turn_begin();
    run_forget();
    run_boot();
    (void)turn_end(LOAD_OK);
}

/* What came over the air may begin a trial. */
static uint64_t serve(void)
{
    uint64_t air = TIME_NEVER;

    if (&load_serial_serve != 0) {
        load_serial_serve();
    }
    if (&load_air_serve != 0) {
        air = load_air_serve();
    }
    uint64_t next = loader_serve();
    return air < next ? air : next;
}

_Noreturn void loader_run(void)
{
    loader_boot();
    for (;;) {
        uint64_t next = serve();

        if (next == TIME_NEVER) {
            notify_wait(&loader_work);
        } else if (notify_wait_until(&loader_work, next) == ERR_TIMEOUT) {
            continue;
        }
    }
}
