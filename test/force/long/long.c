/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Actors that take long, from 1 ms to more than the tick's counter holds, in an interrupt, in an
 * event and in a thread, against actors that read the time or wait for a time. */
#include "long.h"

#include <lichen/init.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "reference.h"

/* When runs begin, shortly before the tick's counter wraps. */
#define BEGIN_US (COUNTER_WRAPS_US - 1000)
#define START_US 4000u

uint64_t least_ahead;
uint64_t most_ahead;

/* ---------------------------------------------------------------- how long */
/* The contract excludes a handler that hides a whole wrap from the chip's own. */
static void hold_in_interrupt(unsigned actor __attribute__((unused)))
{
    held_from = reference_now();
    reference_hold(HOLD_LESS_THAN_WRAP);
    free_of_handlers = reference_now();
}

/* In the stretch no interrupt is to be forced into it. */
static void hold_in_event(unsigned actor)
{
    if (actor != FORCE_STRETCH) {
        reference_hold(HOLD_ANY);
        free_of_handlers = reference_now();
    }
}

static void hold_in_thread(unsigned actor)
{
    if (actor != FORCE_STRETCH) {
        reference_hold(HOLD_ANY);
        free_of_threads = reference_now();
    }
}

/* ---------------------------------------------------------------- when */
/* On the SAM R21 asleep for 36 hours. Then the two clocks are compared. */
void force_start(void)
{
    sleep_until_us(BEGIN_US - START_US);
    reference_start();
    reference_prepare();
}

void moment_prepare(void)
{
    static unsigned prepared; /* in which round */
    if (prepared == force_round) {
        return;
    }
    prepared = force_round;
    sleep_until_us(BEGIN_US);
    reference_prepare();
    uint64_t before = reference_now();
    uint64_t us = time_now_us();
    uint64_t after = reference_now();
    uint64_t tick = tick_of_reading(us);
    least_ahead = tick - after;
    most_ahead = tick - before;
}

static void check(void)
{
}

static const struct force_object object = {.prepare = moment_prepare, .check = check};

const struct force_operation operation_hold = {
    .name = "hold",
    .object = &object,
    .in_interrupt = FORCE_ALL_LEVELS(hold_in_interrupt),
};
static const struct force_operation operation_hold_event = {
    .name = "hold_event", .object = &object, .in_event = hold_in_event};
static const struct force_operation operation_hold_thread = {
    .name = "hold_thread", .object = &object, .in_thread = hold_in_thread};

const struct force_operation *const force_operations[] = {
    &operation_arm,  &operation_sleep,      &operation_look,
    &operation_hold, &operation_hold_event, &operation_hold_thread,
};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
