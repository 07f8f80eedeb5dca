/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The loader's calls and its thread. One mutex is held in each of them, so that everything below
 * (install.h, run.h, table.h, directory.h) is used by one thread at a time.
 *
 * While a container arrives, the page of flash that is being filled is its own: what would write
 * the directory waits (trials) or is refused (LOAD_STATE).
 */
#include <lichen/loader.h>

#include <string.h>

#include <lichen/kernel.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/time.h>

#include "load/arena.h"
#include "load/calls.h"
#include "load/thread.h"
#include "base/crc32.h"
#include "load/install.h"
#include "load/place.h"
#include "load/region.h"
#include "load/run.h"
#include "load/table.h"

_Static_assert((int)LOADER_PROGRAMS == DIRECTORY_ROWS && (int)LOADER_FAILURES == TABLE_FAILURES &&
                   (int)LOADER_FREE == DIRECTORY_FREE &&
                   (int)LOADER_VERIFIED == DIRECTORY_VERIFIED &&
                   (int)LOADER_ACTIVE == DIRECTORY_ACTIVE && (int)LOADER_DEAD == DIRECTORY_DEAD,
               "lichen/loader.h");

/* In images that take programs over their serial console. */
#pragma weak load_serial_serve

static MUTEX(loader_turn);
NOTIFY(loader_work);
static bool is_open; /* the directory; guarded by loader_turn */

/* With a container that is arriving; guarded by loader_turn. */
static struct {
    uint32_t end;    /* run_now() */
    bool is_running; /* it has been set since bytes came */
} patience;

/* Programs are linked to the image's calls and to the places in its RAM. */
static uint32_t identity(void)
{
    const uintptr_t places[2] = {(uintptr_t)arena_begin, (uintptr_t)arena_end};

    return crc32_add_all(calls_identity(), (const uint8_t *)places, sizeof(places));
}

/* An owner that was destroyed left nothing that a later call relies on. */
static void begin(void)
{
    (void)mutex_lock(&loader_turn);
    if (!is_open) {
        is_open = true;
        directory_open(identity());
    }
}

/* Programs have left the directory. Names of a crash are in the flash of its program, which may be
 * erased from now on. */
static void clean_up(void)
{
    run_stop_others();
    const struct program_crash *crash = program_crash_look();

    if (crash != 0 && directory_state(crash->slot) == DIRECTORY_FREE) {
        program_crash_forget();
    }
}

/* Not inline, as the next one: unlocking and posting are, and often called. */
static __attribute__((noinline)) int end(enum load_error error)
{
    mutex_unlock(&loader_turn);
    return error;
}

/* The loader's thread looks what there is to do. */
static __attribute__((noinline)) void wake(void)
{
    notify_post(&loader_work);
}

static int end_with_work(enum load_error error)
{
    wake();
    return end(error);
}

/* -------- installing */

int loader_begin(uint8_t instance)
{
    begin();
    install_begin(instance);
    patience.is_running = false;
    return end_with_work(LOAD_OK);
}

int loader_feed(const void *bytes, uint16_t count)
{
    begin();
    patience.is_running = false;
    return end(install_feed(bytes, count));
}

/* What cannot run is not left there. */
static enum load_error first_start(uint8_t index)
{
    enum load_error error = run_start(index);

    if (error != LOAD_OK && directory_state(index) == DIRECTORY_ACTIVE) {
        (void)table_remove((uint8_t)(1u << index));
    }
    return error;
}

int loader_end(void)
{
    uint8_t index;

    begin();
    enum load_error error = install_end(&index);

    if (error == LOAD_OK) {
        clean_up();
        error = first_start(index);
    }
    return end_with_work(error);
}

void loader_give_up(void)
{
    begin();
    install_give_up();
    (void)end_with_work(LOAD_OK);
}

uint32_t loader_position(void)
{
    return install_position();
}

/* -------- by name */

static enum load_error start(uint8_t index, const struct directory_row *row)
{
    enum load_error error = LOAD_OK;

    if (run_runs(index)) {
        return LOAD_STATE;
    }
    if (row->state != DIRECTORY_ACTIVE) {
        error = table_set_active(index, true);
    }
    return error == LOAD_OK ? run_start(index) : error;
}

static enum load_error stop(uint8_t index, const struct directory_row *row)
{
    enum load_error error = LOAD_STATE;

    if (row->state == DIRECTORY_ACTIVE) {
        error = table_set_active(index, false);
    }
    if (error == LOAD_OK) {
        run_stop(index);
    }
    return error;
}

static enum load_error set_floor(const char *name, const struct directory_row *row)
{
    return (row->flags & DIRECTORY_ON_TRIAL) != 0 ? LOAD_STATE
                                                  : table_set_floor(name, table_version(row));
}

enum change {
    START,
    STOP,
    REMOVE,
    FLOOR,
};

static enum load_error change(const char *name, enum change what)
{
    struct directory_row row;

    if (install_is_busy()) {
        return LOAD_STATE;
    }
    uint8_t rows = table_rows(name);
    uint8_t index = table_program(rows, &row);

    if (rows == 0) {
        return LOAD_NONE;
    }
    if (what == REMOVE) {
        enum load_error error = table_remove(rows);

        if (error == LOAD_OK) {
            clean_up();
        }
        return error;
    }
    if (index == DIRECTORY_NONE) { /* they are all dead */
        return LOAD_STATE;
    }
    return what == START  ? start(index, &row)
           : what == STOP ? stop(index, &row)
                          : set_floor(name, &row);
}

static __attribute__((noinline)) int make_change(const char *name, enum change what)
{
    begin();
    return end_with_work(change(name, what));
}

int loader_start(const char *name)
{
    return make_change(name, START);
}

int loader_stop(const char *name)
{
    return make_change(name, STOP);
}

int loader_remove(const char *name)
{
    return make_change(name, REMOVE);
}

int loader_set_floor(const char *name)
{
    return make_change(name, FLOOR);
}

void loader_look(uint8_t index, struct loader_program *program)
{
    struct directory_row row;

    memset(program, 0, sizeof(*program));
    begin();
    if (directory_read(index, &row) != DIRECTORY_FREE) {
        table_name(&row, program->name);
        program->version = table_version(&row);
        program->flash_bytes = directory_pages(&row) * CODE_PAGE;
        program->low_bytes = row.low_bytes;
        program->data_bytes = row.data_bytes;
        program->state = row.state;
        program->failures = row.failures;
        program->runs = run_runs(index);
        program->threads = run_threads(index);
        program->failed = run_failed(index);
        program->is_on_trial = (row.flags & DIRECTORY_ON_TRIAL) != 0;
        program->is_old = (row.flags & DIRECTORY_KEPT) != 0;
    }
    (void)end(LOAD_OK);
}

void loader_look_room(struct loader_room *room)
{
    struct region_room flash;
    struct region_room ram;

    begin();
    region_look(false, &flash);
    region_look(true, &ram);
    room->flash_bytes = flash.free * (uint32_t)CODE_PAGE;
    room->flash_hole = flash.hole * (uint32_t)CODE_PAGE;
    room->ram_bytes = ram.free;
    room->ram_hole = ram.hole;
    (void)table_free(&room->programs);
    (void)end(LOAD_OK);
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
    wake();
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

/* How long the container that is arriving is not given up, if nothing of it comes. */
static uint32_t patience_left(uint32_t now)
{
    if (!install_is_busy()) {
        return 0;
    }
    if (!patience.is_running) {
        patience.is_running = true;
        patience.end = now + run_seconds(LOADER_PATIENCE_S);
    }
    return run_left(patience.end, now);
}

uint32_t loader_serve(void)
{
    begin();
    uint32_t now = run_now();
    uint32_t left = patience_left(now);

    if (left == 0) {
        install_give_up();
        left = run_serve(now);
    }
    (void)end(LOAD_OK);
    return left;
}

void loader_boot(void)
{
    is_open = false;
    begin();
    run_boot();
    (void)end(LOAD_OK);
}

_Noreturn void loader_run(void)
{
    loader_boot();
    for (;;) {
        if (&load_serial_serve != 0) {
            load_serial_serve();
        }
        uint32_t left = loader_serve();

        if (left == RUN_NEVER) {
            notify_wait(&loader_work);
        } else if (notify_wait_until(&loader_work, time_now_us() + ((uint64_t)left << 6)) ==
                   ERR_TIMEOUT) {
            continue;
        }
    }
}
