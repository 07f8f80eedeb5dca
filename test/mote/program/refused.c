/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a container may say and a mote must refuse, and threads that a program makes itself. */
#include <lichen/panic.h>

#include "played.h"

/* -------- rows of threads */

static void body(void *argument)
{
    (void)argument;
    steps[0][0] = 0; /* is not reached */
}

static uint8_t outside[PLAYED_STACK] __attribute__((aligned(8)));
extern struct thread tests;

#define STACKS (one.objects + PLAYED_OBJECTS)
#define ROW(thread_, stack_, bytes_, priority_)                                                    \
    {                                                                                              \
        .thread = (thread_), .entry = body, .stack = (stack_), .stack_bytes = (bytes_),            \
        .priority = (priority_)                                                                    \
    }
#define FIRST OBJECT(&one, first)

static const struct thread_info rows[] ARCH_FLASH_PLACED(rows) = {
    ROW(FIRST, STACKS, PLAYED_STACK, 0),
    ROW(FIRST, STACKS, PLAYED_STACK, PRIORITY_MAX + 1),
    ROW(FIRST, STACKS, PLAYED_STACK, UINT8_MAX),
    ROW(&tests, STACKS, PLAYED_STACK, 1),
    ROW((void *)STACKS, STACKS, PLAYED_STACK, 1),
    ROW((void *)(one.objects + 1), STACKS, PLAYED_STACK, 1), /* control blocks are even */
    ROW(FIRST, outside, PLAYED_STACK, 1),
    ROW(FIRST, one.objects, PLAYED_STACK, 1),
    ROW(FIRST, STACKS, THREAD_STACK_ROUND(THREAD_STACK_MIN) - ARCH_STACK_ALIGN, 1),
    ROW(FIRST, STACKS, 0, 1),
    ROW(FIRST, STACKS, 2 * PLAYED_STACK + ARCH_STACK_ALIGN, 1),
    ROW(FIRST, STACKS + ARCH_STACK_ALIGN, 2 * PLAYED_STACK, 1),
    ROW(FIRST, STACKS + 2 * PLAYED_STACK, PLAYED_STACK, 1),
};

static const struct container_header one_row ARCH_FLASH_PLACED(one_row) = {
    .constants_bytes = sizeof(struct thread_info),
    .object_bytes = PLAYED_OBJECTS,
    .stack_bytes = 2 * PLAYED_STACK,
    .threads = 1,
};

TEST(a_thread_outside_its_program_is_refused)
{
    const ARCH_FLASH struct thread_info *row = ARCH_FLASH_OF(rows);

    ends = 0;
    one.program.header = ARCH_FLASH_OF(&one_row);
    one.program.objects = one.objects;
    one.program.data = one.data;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        one.program.code = (const ARCH_FLASH uint8_t *)(row + i);
        expect_equal(program_run(&one.program), ERR_INVALID);
        expect(!program_runs(&one.program));
    }
    expect_equal(outside[0], 0);
    expect_equal(ends, 0);
}

/* -------- initial values: the objects have 4 bytes, the data 3 */

#define RUN(kind, bytes) (uint8_t)(bytes), (uint8_t)((kind) << 6 | (bytes) >> 8)

struct runs {
    struct container_header header;
    uint8_t bytes[12];
};

#define RUNS(error_, length, ...)                                                                  \
    {                                                                                              \
        .header = {.initial_bytes = (length),                                                      \
                   .object_bytes = 4,                                                              \
                   .data_bytes = 3,                                                                \
                   .version = (error_)},                                                           \
        .bytes = {__VA_ARGS__},                                                                    \
    }

static const struct runs all_runs[] ARCH_FLASH_PLACED(all_runs) = {
    RUNS(LOAD_OK, 0, 0),
    RUNS(LOAD_OK, 8, RUN(0, 4), 1, 2, 3, 4, RUN(1, 3)),
    RUNS(LOAD_OK, 8, RUN(2, 4), 9, 0, RUN(2, 3), 8, 0),
    RUNS(LOAD_INITIAL, 1, 0),                               /* half a head */
    RUNS(LOAD_INITIAL, 2, RUN(3, 4)),                       /* no kind */
    RUNS(LOAD_INITIAL, 2, RUN(1, 0)),                       /* of nothing */
    RUNS(LOAD_INITIAL, 2, RUN(1, 5)),                       /* into what lies behind */
    RUNS(LOAD_INITIAL, 4, RUN(1, 4), RUN(1, 4)),            /* the same, of the data */
    RUNS(LOAD_INITIAL, 2, RUN(1, 0x3fff)),                  /* the longest */
    RUNS(LOAD_INITIAL, 4, RUN(0, 4), 1, 2),                 /* bytes are missing */
    RUNS(LOAD_INITIAL, 5, RUN(0, 3), 1, 2, 3),              /* the one behind an odd number */
    RUNS(LOAD_INITIAL, 3, RUN(2, 4), 9),                    /* the byte behind it */
    RUNS(LOAD_INITIAL, 6, RUN(1, 4), RUN(1, 3), RUN(1, 1)), /* more than there is room for */
    RUNS(LOAD_INITIAL, 3, RUN(1, 2), 0),                    /* half a head behind a run */
};

TEST(initial_values_that_do_not_fit_are_refused)
{
    const ARCH_FLASH struct runs *all = ARCH_FLASH_OF(all_runs);

    one.program.objects = one.objects;
    one.program.data = one.data;
    for (unsigned i = 0; i < sizeof(all_runs) / sizeof(all_runs[0]); i++) {
        one.objects[4] = 0xa5;
        one.data[3] = 0xa5;
        one.program.header = &all[i].header;
        one.program.code = all[i].bytes;
        expect_equal(program_fill(&one.program), all[i].header.version);
        expect_equal(one.objects[4], 0xa5);
        expect_equal(one.data[3], 0xa5);
    }
}

/* -------- threads that are made at run time: the control block is the program's, where the second
 * thread's stack would be */

#define CREATED ((struct thread_created *)(void *)STACKS)

/* Its stack is the upper half; it overflows into the lower one. */
static uint8_t halves[2 * PLAYED_STACK] __attribute__((aligned(8)));
static volatile unsigned created_runs;

static __attribute__((noinline)) void fill(volatile uint8_t *bytes)
{
    for (unsigned i = 0; i < PLAYED_STACK; i++) {
        bytes[i] = 1;
    }
}

static void overflows(void *argument)
{
    volatile uint8_t bytes[PLAYED_STACK];

    (void)argument;
    created_runs++;
    fill(bytes);
    sleep_ms(1);
    created_runs += 100;
}

static void waits(void *argument)
{
    (void)argument;
    created_runs++;
    sleep_ms(1000);
    created_runs += 100;
}

static void create(void (*entry)(void *))
{
    CREATED->info = (struct thread_info){.entry = entry,
                                         .stack = halves + PLAYED_STACK,
                                         .name = TEXT("made"),
                                         .stack_bytes = PLAYED_STACK,
                                         .priority = PRIORITY_APP + 2};
    expect_equal(thread_create(CREATED, 0), 0);
}
static void creates_one_that_waits(void)
{
    create(waits);
}
static void creates_one_that_overflows(void)
{
    create(overflows);
}

TEST(a_thread_that_it_made_is_of_the_program)
{
    ends = created_runs = 0;
    play(&one, creates_one_that_waits, 0);
    expect_equal(created_runs, 1);
    expect(program_runs(&one.program));
    program_stop(&one.program);
    expect_equal(ends, 1);
    sleep_ms(2);
    expect_equal(created_runs, 1);
}

TEST(a_thread_that_it_made_overflows)
{
    ends = created_runs = 0;
    play(&one, creates_one_that_overflows, 0);
    expect_equal(created_runs, 1);
    expect_equal(ends, 1);
    expect(!program_runs(&one.program));
    expect(program_crash_look() != 0);
    expect_equal(program_crash_look()->record.reason, PANIC_STACK);
    expect(same_text(program_crash_look()->thread, "made"));
    program_crash_forget();
    expect(panic_last() == 0);
    play(&one, creates_one_that_waits, 0);
    program_stop(&one.program);
    expect_equal(ends, 2);
}
