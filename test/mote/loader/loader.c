/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs come and go on a mote that runs: each counts in its own data. */
#include <lichen/loader.h>

#include <string.h>

#include <lichen/print.h>
#include <lichen/time.h>

#include "container.h"
#include "load/arena.h"
#include "load/container.h"
#include "load/directory.h"
#include "load/error.h"
#include "test.h"

LOADER(PRIORITY_HIGH);

enum {
    PIECE = 32,
    SOON_MS = 60,
    ERASED_MS = 500, /* pages of a program and of the directory, each after 100 ms */
};

/* Installs what was made. */
static int install(uint8_t instance)
{
    int error = loader_begin(instance);

    for (uint16_t at = 0; at < container_bytes && error == 0; at += PIECE) {
        uint16_t left = container_bytes - at;

        error = loader_feed(container + at, left < PIECE ? left : PIECE);
    }
    return error != 0 ? error : loader_end();
}

static int make_and_install(struct counting counting, uint8_t instance)
{
    container_make(&counting);
    return install(instance);
}

/* The row of a name that runs or not; the last one if there are several. */
static uint8_t row_of(const char *name, struct loader_program *program)
{
    uint8_t row = LOADER_PROGRAMS;

    for (uint8_t index = 0; index < LOADER_PROGRAMS; index++) {
        struct loader_program other;

        loader_look(index, &other);
        if (other.state != LOADER_FREE && other.state != LOADER_DEAD && !other.is_old &&
            strcmp(other.name, name) == 0) {
            *program = other;
            row = index;
        }
    }
    return row;
}

static uint8_t count_of(const char *name)
{
    struct loader_program program;
    struct directory_row row;
    uint8_t index = row_of(name, &program);

    expect(index < LOADER_PROGRAMS);
    directory_read(index, &row);
    return arena_begin[row.data];
}

/* It counts in steps. */
static void expect_runs(const char *name, uint16_t version, uint8_t step)
{
    struct loader_program program;

    expect(row_of(name, &program) < LOADER_PROGRAMS);
    expect_equal(program.version, version);
    expect(program.runs);
    uint8_t before = count_of(name);
    sleep_ms(SOON_MS);
    uint8_t counted = count_of(name) - before;
    expect(counted >= 2 * step);
    expect_equal(counted % step, 0);
}

static struct loader_room at_first;

TEST(there_is_room)
{
    loader_look_room(&at_first);
    print("%lu bytes of flash, %u of RAM\n", (unsigned long)at_first.flash_bytes,
          at_first.ram_bytes);
    expect_equal(at_first.programs, LOADER_PROGRAMS);
    expect(at_first.flash_bytes == at_first.flash_hole && at_first.ram_bytes == at_first.ram_hole);
    expect_equal(loader_start("cnt"), LOAD_NONE);
}

TEST(a_program_is_installed_and_runs)
{
    container_make(&(struct counting){.version = 1, .step = 1});
    uint64_t begun = time_now_us();
    expect_equal(install(0), 0);
    uint32_t took = (uint32_t)(time_now_us() - begun);
    print("%u bytes in %lu us\n", container_bytes, (unsigned long)took);
    expect_runs("cnt", 1, 1);
}

TEST(a_second_instance_runs_beside_it)
{
    expect_equal(make_and_install((struct counting){.version = 1, .step = 3}, 2), 0);
    expect_runs("cnt", 1, 1);
    expect_runs("cnt.2", 1, 3);
}

TEST(what_is_there_is_refused)
{
    expect_equal(install(2), LOAD_EXISTS);
    expect_runs("cnt.2", 1, 3);
}

TEST(what_is_damaged_is_refused)
{
    container_make(&(struct counting){.version = 2, .step = 1});
    container[60] ^= 1;
    expect(install(0) != 0);
    container[60] ^= 1;
    container[container_bytes - 1] ^= 1;
    expect_equal(install(0), LOAD_MAC);
    container[container_bytes - 1] ^= 1;
    container[container_bytes - 20] ^= 1;
    expect_equal(install(0), LOAD_CRC);
    container_bytes -= 1;
    container[container_bytes - 19] ^= 1;
    expect_equal(install(0), LOAD_LENGTH);
    expect_runs("cnt", 1, 1);
}

/* The image has slots for two. */
TEST(events_that_do_not_fit_are_refused)
{
    struct counting counting = {.version = 2, .step = 1, .events = 3, .event_stack = 64};

    expect_equal(make_and_install(counting, 0), LOAD_EVENTS);
    counting.events = 2;
    counting.event_stack = 65;
    expect_equal(make_and_install(counting, 0), LOAD_EVENT_STACK);
    counting.event_stack = 0;
    expect_equal(make_and_install(counting, 0), LOAD_RECORD);
    counting.events = 0;
    counting.event_stack = 64;
    expect_equal(make_and_install(counting, 0), LOAD_RECORD);
    expect_runs("cnt", 1, 1);
}

TEST(a_call_that_there_is_not_is_refused)
{
    expect_equal(make_and_install((struct counting){.version = 2, .bad_call = 1}, 0), LOAD_CALL);
    expect_runs("cnt", 1, 1);
}

/* What came before has declared it. */
TEST(a_call_that_is_not_declared_is_refused)
{
    expect_equal(make_and_install((struct counting){.version = 2, .hides = 1}, 0), LOAD_CALL);
    expect_runs("cnt", 1, 1);
}

TEST(an_upgrade_that_confirms_stays)
{
    struct loader_program program;
    struct counting counting = {.version = 2, .confirm_s = 5, .confirms = 1, .step = 5};

    expect_equal(make_and_install(counting, 0), 0);
    expect_runs("cnt", 2, 5);
    row_of("cnt", &program);
    expect(!program.is_on_trial);
    struct loader_room room;
    loader_look_room(&room);
    expect_equal(room.programs, LOADER_PROGRAMS - 2);
}

TEST(an_upgrade_that_does_not_is_rolled_back)
{
    struct loader_program program;
    struct counting counting = {.version = 3, .confirm_s = 1, .step = 7};

    expect_equal(make_and_install(counting, 0), 0);
    expect_runs("cnt", 3, 7);
    row_of("cnt", &program);
    expect(program.is_on_trial);
    sleep_ms(3500);
    expect_runs("cnt", 2, 5);
}

TEST(the_floor_forbids_going_back)
{
    expect_equal(make_and_install((struct counting){.version = 1, .step = 1}, 0), 0);
    expect_equal(make_and_install((struct counting){.version = 3, .step = 9}, 0), 0);
    expect_equal(loader_set_floor("cnt"), 0);
    expect_equal(make_and_install((struct counting){.version = 2, .step = 1}, 0), LOAD_DOWNGRADE);
    expect_runs("cnt", 3, 9);
}

TEST(it_is_stopped_and_started)
{
    expect_equal(loader_stop("cnt"), 0);
    uint8_t before = count_of("cnt");
    sleep_ms(SOON_MS);
    expect_equal(count_of("cnt"), before);
    expect_equal(loader_stop("cnt"), LOAD_STATE);
    expect_runs("cnt.2", 1, 3);
    expect_equal(loader_start("cnt"), 0);
    expect_equal(loader_start("cnt"), LOAD_STATE);
    expect_runs("cnt", 3, 9);
}

TEST(all_are_removed_and_nothing_is_left)
{
    struct loader_program program;
    struct loader_room room;
    struct directory_row row;

    expect_equal(loader_remove("cnt"), 0);
    expect_runs("cnt.2", 1, 3);
    directory_read(row_of("cnt.2", &program), &row);
    expect_equal(loader_remove("cnt.2"), 0);
    expect_equal(loader_remove("cnt.2"), LOAD_NONE);
    loader_look_room(&room);
    expect_equal(room.flash_hole, at_first.flash_hole);
    expect_equal(room.ram_hole, at_first.ram_hole);
    expect_equal(room.programs, LOADER_PROGRAMS);
    expect_equal(code_read(directory_address(&row)), CONTAINER_MAGIC);
    sleep_ms(ERASED_MS);
    expect_equal(code_read(directory_address(&row)), UINT16_MAX);
}

TEST(stacks_are_large_enough)
{
    struct thread_view view;

    for (unsigned index = 0; thread_look(index, &view) == 0; index++) {
        if (view.thread == &loader) {
            print("of the loader's stack of %u bytes %u were never used\n", view.stack_bytes,
                  view.stack_free);
            /* `lichen build` has computed it with the interrupts that come on top. */
            expect(view.stack_free > 0);
        }
    }
}
