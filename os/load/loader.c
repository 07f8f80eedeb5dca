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

#include "load/ahead.h"
#include "load/install.h"
#include "load/place.h"
#include "load/region.h"
#include "load/run.h"
#include "load/table.h"
#include "load/thread.h"
#include "load/turn.h"

_Static_assert((int)LOADER_PROGRAMS == DIRECTORY_ROWS && (int)LOADER_FAILURES == TABLE_FAILURES &&
                   (int)LOADER_SURVIVAL_S == RUN_SURVIVAL_S && (int)LOADER_FREE == DIRECTORY_FREE &&
                   (int)LOADER_VERIFIED == DIRECTORY_VERIFIED &&
                   (int)LOADER_ACTIVE == DIRECTORY_ACTIVE && (int)LOADER_DEAD == DIRECTORY_DEAD,
               "lichen/loader.h");

/* In images that take programs over their serial console, and from other motes. */
#pragma weak load_serial_serve
#pragma weak load_air_serve
#pragma weak load_air_retry

/* Of silence before a page is erased: a frame takes 13 ms. In units of run_now(). */
enum {
    AHEAD_PAUSE = 100000 / 64,
};

NOTIFY(loader_work);

/* With a container that is arriving; guarded by the turn. */
static struct {
    uint32_t end;    /* run_now() */
    bool is_running; /* it has been set since bytes came */
} patience;

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

/* The loader's thread looks what there is to do. */
static __attribute__((noinline)) void wake(void)
{
    notify_post(&loader_work);
}

static int end_with_work(enum load_error error)
{
    wake();
    return turn_end(error);
}

/* -------- installing */

int loader_begin(uint8_t instance)
{
    turn_begin();
    install_begin(instance);
    patience.is_running = false;
    return end_with_work(LOAD_OK);
}

int loader_feed(const void *bytes, uint16_t count)
{
    turn_begin();
    patience.is_running = false;
    return turn_end(install_feed(bytes, count));
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

enum load_error loader_finish(void)
{
    uint8_t index;
    enum load_error error = install_end(&index);

    if (error == LOAD_OK) {
        clean_up();
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
            if (&load_air_retry != 0) {
                load_air_retry();
            }
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
    turn_begin();
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
    turn_begin();
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
    (void)turn_end(LOAD_OK);
}

void loader_look_room(struct loader_room *room)
{
    struct region_room flash;
    struct region_room ram;

    turn_begin();
    region_look(false, &flash);
    region_look(true, &ram);
    room->flash_bytes = flash.free * (uint32_t)CODE_PAGE;
    room->flash_hole = flash.hole * (uint32_t)CODE_PAGE;
    room->ram_bytes = ram.free;
    room->ram_hole = ram.hole;
    (void)table_free(&room->programs);
    (void)turn_end(LOAD_OK);
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

uint32_t loader_serve(bool is_idle)
{
    turn_begin();
    uint32_t now = run_now();
    uint32_t left = patience_left(now);

    if (left == 0) {
        install_give_up();
        left = run_serve(now);
        if (ahead_serve(is_idle) && left > AHEAD_PAUSE) {
            left = AHEAD_PAUSE;
        }
    }
    (void)turn_end(LOAD_OK);
    return left;
}

void loader_boot(void)
{
    turn_forget();
    turn_begin();
    run_boot();
    (void)turn_end(LOAD_OK);
}

static uint64_t sooner(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* What came over the air may begin a trial. Returns when there is more to do, or TIME_NEVER. */
static uint64_t serve(bool is_idle)
{
    uint64_t next = &load_serial_serve != 0 ? load_serial_serve() : TIME_NEVER;

    if (&load_air_serve != 0) {
        next = sooner(next, load_air_serve());
    }
    uint32_t left = loader_serve(is_idle);

    return sooner(next, left == RUN_NEVER ? TIME_NEVER : time_now_us() + ((uint64_t)left << 6));
}

_Noreturn void loader_run(void)
{
    bool is_idle = false;

    loader_boot();
    for (;;) {
        uint64_t next = serve(is_idle);

        is_idle = false;
        if (next == TIME_NEVER) {
            notify_wait(&loader_work);
        } else {
            is_idle = notify_wait_until(&loader_work, next) == ERR_TIMEOUT;
        }
    }
}
