/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "scenarios.h"

#include <string.h>

#include <lichen/loader.h>
#include <lichen/time.h>

#include "../host/host.h"
#include "../mote/mote.h"
#include "load/error.h"
#include "load/thread.h"

enum {
    CONFIRM_S = 10,
};

/* Odd versions are larger. Version 10 and above are on trial. */
const struct mote_container *scenario_container(const char *name, unsigned version)
{
    static struct mote_container container;

    memset(&container, 0, sizeof(container));
    strcpy(container.name, name);
    container.version = (uint16_t)version;
    container.confirm_s = version >= 10 ? CONFIRM_S : 0;
    container.constants_bytes = 40;
    container.code_bytes = version % 2 ? 900 : 520;
    container.object_bytes = 16;
    container.stack_bytes = 96;
    container.data_bytes = 24;
    container.seed = version * 1000 + (unsigned char)name[0];
    mote_make(&container);
    return &container;
}

static void install(const char *name, unsigned version, uint8_t instance)
{
    const struct mote_container *container = scenario_container(name, version);
    int error = loader_begin(instance);

    for (uint16_t at = 0; at < container->count && error == 0; at += 50) {
        uint16_t left = container->count - at;

        error = loader_feed(container->bytes + at, left < 50 ? left : 50);
    }
    if (error == 0) {
        error = loader_end();
    } else {
        loader_give_up();
    }
    require(error == 0 || error == LOAD_EXISTS);
}

/* The program that runs confirms: only one is on trial. */
static void confirm(void)
{
    struct loader_program program;

    for (uint8_t index = 0; index < LOADER_PROGRAMS; index++) {
        loader_look(index, &program);
        if (program.is_on_trial && program.runs) {
            loader_confirmed(mote_running(index));
        }
    }
    mote_serve();
}

static void expire(void)
{
    mote_now += (CONFIRM_S + 1) * TIME_US_PER_S;
    mote_serve();
}

static void nothing(void)
{
}

static void install_b1(void)
{
    install("b", 1, 0);
}

static void others_b1(void)
{
    install("other", 2, 0);
    install_b1();
    install("last", 1, 0);
}

static void install_b2(void)
{
    install("b", 2, 0);
}

static void install_b10(void)
{
    install("b", 10, 0);
}

static void install_b11(void)
{
    install("b", 11, 0);
}

static void install_second(void)
{
    install("b", 1, 2);
}

static void others_b1_b10(void)
{
    others_b1();
    install_b10();
}

static void others_b10(void)
{
    install("other", 2, 0);
    install_b10();
}

/* b has failed three times. */
static void others_failed(void)
{
    others_b1_b10();
    expire();
    expire();
}

static void others_failed_alone(void)
{
    others_b10();
    expire();
    expire();
}

static void others_dead(void)
{
    others_failed();
    expire();
}

static void others_stopped(void)
{
    others_b1();
    require(loader_stop("b") == 0);
}

static void stop_b(void)
{
    int error = loader_stop("b");

    require(error == 0 || error == LOAD_STATE);
}

static void start_b(void)
{
    int error = loader_start("b");

    require(error == 0 || error == LOAD_STATE);
}

static void remove_b(void)
{
    int error = loader_remove("b");

    require(error == 0 || error == LOAD_NONE);
}

static void crash(void)
{
    mote_boot_after(RESET_SOFTWARE, 0);
}

static void b1_crashed(void)
{
    install_b1();
    crash();
    crash();
}

static void survive(void)
{
    mote_now += (LOADER_SURVIVAL_S + 1) * TIME_US_PER_S;
    mote_serve();
}

static void others_b1_gone(void)
{
    others_b1();
    remove_b();
}

/* All pages that were freed are erased before, or some. */
static void idle_install_b2(void)
{
    for (uint32_t i = mote_below(8); i < 8; i++) {
        mote_idle();
    }
    install_b2();
}

static void raise_floor(void)
{
    require(loader_set_floor("b") == 0);
}

const struct scenario scenarios[] = {
    {"first", nothing, install_b1, false},
    {"first on trial", nothing, install_b10, false},
    {"beside", others_b1, install_second, false},
    {"upgrade", others_b1, install_b2, false},
    {"erase ahead", others_b1_gone, idle_install_b2, false},
    {"upgrade on trial", others_b1, install_b10, false},
    {"upgrade again on trial", others_b1_b10, install_b11, false},
    {"upgrade instead of trial", others_b1_b10, install_b2, false},
    {"upgrade of unconfirmed", others_b10, install_b11, false},
    {"upgrade of dead", others_dead, install_b10, false},
    {"confirm", others_b1_b10, confirm, false},
    {"confirm first", others_b10, confirm, false},
    {"expire", others_b1_b10, expire, true},
    {"roll back", others_failed, expire, true},
    {"roll back at start", others_failed, mote_boot, true},
    {"die", others_failed_alone, expire, true},
    {"stop", others_b1, stop_b, false},
    {"start", others_stopped, start_b, false},
    {"remove", others_b1, remove_b, false},
    {"remove with old", others_b1_b10, remove_b, false},
    {"remove with dead", others_dead, remove_b, false},
    {"crash", install_b1, crash, true},
    {"crash and stop", b1_crashed, crash, false},
    {"survive", b1_crashed, survive, true},
    {"floor", others_b1, raise_floor, false},
};

const unsigned scenario_count = sizeof(scenarios) / sizeof(scenarios[0]);
