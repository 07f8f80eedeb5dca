/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The loader against a model of it: random installations, starts, stops, removals, upgrades,
 * confirmations, restarts, and containers that are cut short, damaged or given up.
 *
 *     loader SEED STEPS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lichen/loader.h>
#include <lichen/time.h>

#include "../host/host.h"
#include "load/arena.h"
#include "load/error.h"
#include "load/place.h"
#include "load/thread.h"
#include "model.h"

static unsigned long step;
static uint32_t seed;
static unsigned long counts[LOAD_ERRORS];

static void tell(void)
{
    fprintf(stderr, "step %lu of seed %lu\n", step, (unsigned long)seed);
}

static void check(int error, int expected)
{
    if (error != expected) {
        fprintf(stderr, "error %d instead of %d, byte %lu\n", error, expected,
                (unsigned long)loader_position());
        require(error == expected);
    }
    counts[error]++;
}

/* Few keys are much used. */
static unsigned some_key(void)
{
    return mote_below(mote_below(4) ? 6 : KEYS);
}

/* What is installed is written by nobody. */
static bool may_write(uint32_t page)
{
    return !model_has_page(page);
}

static void make(struct mote_container *container, unsigned key)
{
    memset(container, 0, sizeof(*container));
    model_name(key / INSTANCES * INSTANCES, container->name);
    container->version = (uint16_t)(1 + mote_below(6));
    container->confirm_s = mote_below(2) ? (uint16_t)mote_below(20) : 0;
    container->constants_bytes = (uint16_t)(2 * mote_below(100));
    container->code_bytes = (uint16_t)(2 * mote_below(mote_below(8) ? 300 : 1500));
    container->object_bytes = (uint16_t)(4 * mote_below(30));
    container->stack_bytes = (uint16_t)(8 * mote_below(mote_below(8) ? 24 : 150));
    container->data_bytes = (uint16_t)(4 * mote_below(mote_below(8) ? 30 : 300));
    container->seed = mote_random();
    mote_make(container);
}

/* While a container arrives, others wait. It may come slowly. */
static void interfere(void)
{
    char name[LOADER_NAME_BYTES];

    model_name(mote_below(KEYS), name);
    switch (mote_below(40)) {
    case 0:
        require(loader_start(name) == LOAD_STATE);
        break;
    case 1:
        require(loader_remove(name) == LOAD_STATE);
        break;
    case 2:
        mote_serve();
        mote_now += mote_below(LOADER_PATIENCE_S) * TIME_US_PER_S;
        mote_serve();
        mote_idle();
        break;
    default:
        break;
    }
}

/* Hands over bytes in pieces; stops at an error. */
static int feed(const uint8_t *bytes, unsigned count)
{
    int error = 0;

    while (count > 0 && error == 0) {
        unsigned piece = 1 + mote_below(90);

        piece = piece < count ? piece : count;
        error = loader_feed(bytes, (uint16_t)piece);
        bytes += piece;
        count -= piece;
        if (error == 0) {
            interfere();
        }
    }
    return error;
}

/* The loader's thread comes as soon as a container has ended. */
static void serve(void)
{
    mote_serve();
    model_serve();
    while (mote_below(3) != 0) {
        mote_idle();
    }
}

static void install(void)
{
    static struct mote_container container;
    unsigned key = some_key();

    make(&container, key);
    require(loader_begin(key % INSTANCES ? 2 : 0) == 0);
    if (mote_below(8) == 0) {
        /* Damaged, cut short, or given up. */
        unsigned way = mote_below(3);
        unsigned count = way == 0 ? container.count : mote_below(container.count);

        if (way == 0) {
            container.bytes[mote_below(container.count)] ^= (uint8_t)(1u << mote_below(8));
        }
        int error = feed(container.bytes, count);

        if (way == 2) {
            loader_give_up();
        } else {
            int last = loader_end();

            require(last != 0 && (error == 0 || last == error));
            counts[last]++;
        }
        return;
    }
    /* A refusal changes nothing. */
    struct modelled before = model[key];
    int expected = model_install(key, &container);
    struct modelled after = model[key];

    model[key] = before;
    const uint64_t begun = mote_now;
    int error = feed(container.bytes, container.count);

    if (error == 0) {
        error = loader_end();
    } else if (mote_below(2) == 0) {
        loader_give_up();
    }
    check(error, expected);
    if (error == 0) {
        after.due += mote_now - begun;
    }
    model[key] = after;
}

static void confirm(void)
{
    uint8_t row = (uint8_t)mote_below(ROWS);
    struct program *program = mote_running(row);

    for (unsigned key = 0; key < KEYS && program != 0; key++) {
        struct modelled *of = &model[key];

        if (of->runs && (uintptr_t)program == (uintptr_t)(arena_begin + of->program.low)) {
            of->was_confirmed = true;
            loader_confirmed(program);
            return;
        }
    }
}

static void end(void)
{
    uint8_t row = (uint8_t)mote_below(ROWS);

    for (unsigned key = 0; key < KEYS && mote_running(row) != 0; key++) {
        struct modelled *of = &model[key];

        if (of->runs &&
            (uintptr_t)mote_running(row) == (uintptr_t)(arena_begin + of->program.low)) {
            of->runs = false;
            mote_end(row);
        }
    }
}

/* The directory cannot be written: nothing changes, now and later. */
static void remove_in_vain(const char *name)
{
    mote_is_worn = true;
    check(loader_remove(name), LOAD_WRITE);
    mote_is_worn = false;
}

static void command(void)
{
    char name[LOADER_NAME_BYTES];
    unsigned key = some_key();
    int error;
    int expected;

    model_name(key, name);
    switch (mote_below(16)) {
    case 0:
    case 1:
    case 2:
        if (mote_below(8) == 0 && model[key].program.is_there) {
            remove_in_vain(name);
            return;
        }
        expected = model_remove(key);
        error = loader_remove(name);
        break;
    case 3:
        expected = model_set_floor(key);
        error = loader_set_floor(name);
        break;
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
        expected = model_stop(key);
        error = loader_stop(name);
        break;
    default:
        expected = model_start(key);
        error = loader_start(name);
        break;
    }
    check(error, expected);
}

/* Mostly a program that crashes each time, or with nothing known of it. */
static void crash(void)
{
    const unsigned key = mote_below(2) ? some_key() : KEYS;
    const struct modelled *of = &model[key];

    for (unsigned times = mote_below(5); times > 0; times--) {
        const bool is_known = key != KEYS && of->program.is_there && of->program.is_active;
        const bool is_named = is_known && mote_below(4) != 0;

        mote_boot_after(mote_below(2) ? RESET_SOFTWARE : RESET_WATCHDOG,
                        is_named ? (uintptr_t)arena_begin + of->program.low : 0);
        model_crash(is_named ? key : KEYS);
        model_compare();
        mote_now += mote_below(12) * TIME_US_PER_S;
        serve();
    }
}

static void restart(void)
{
    if (mote_below(2) != 0) {
        crash();
    } else if (mote_below(2) != 0) {
        mote_boot();
        model_boot();
    } else if (mote_below(2) != 0) {
        mote_restart();
        model_boot();
    } else {
        mote_boot_after(RESET_PIN, 0);
        model_boot();
    }
}

static void take_step(void)
{
    switch (mote_below(12)) {
    case 0:
        mote_now += mote_below(8) * TIME_US_PER_S;
        break;
    case 1:
        confirm();
        break;
    case 2:
        end();
        break;
    case 3:
        if (mote_below(10) == 0) {
            restart();
        }
        break;
    case 4:
    case 5:
    case 6:
    case 7:
        install();
        break;
    default:
        command();
        break;
    }
    if (mote_below(4) != 0) {
        serve();
    }
    model_compare();
}

/* All that was free at first is free again. */
static void empty(void)
{
    char name[LOADER_NAME_BYTES];
    struct loader_room room;

    for (unsigned key = 0; key < KEYS; key++) {
        model_name(key, name);
        require(loader_remove(name) == model_remove(key));
    }
    model_compare();
    loader_look_room(&room);
    require(room.flash_hole == MOTE_PAGES * 256 && room.ram_hole == MOTE_ARENA);
    require(room.programs == LOADER_PROGRAMS);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: loader SEED STEPS\n");
        return 2;
    }
    unsigned long steps = strtoul(argv[2], 0, 10);

    seed = (uint32_t)strtoul(argv[1], 0, 10);
    host_at_death(tell);
    mote_seed(seed);
    mote_may_write = may_write;
    mote_erase();
    model_erase();
    mote_boot();
    for (step = 0; step < steps; step++) {
        if (step % 5000 == 4999) {
            empty();
            /* Floors go with the flash alone. */
            mote_erase();
            model_erase();
            mote_boot();
        }
        take_step();
    }
    empty();
    printf("%lu steps; refused:", steps);
    for (unsigned error = 1; error < LOAD_ERRORS; error++) {
        if (counts[error] != 0) {
            printf(" %u: %lu", error, counts[error]);
        }
    }
    printf("; %lu changes\n", counts[0]);
    return 0;
}
