/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads beside threads, and the calls on them: signals from every level, and being
 * added again.
 *
 * Laws: a thread that is signalled or added does its job afterwards, and not only when the next
 * alarm happens to wake the mote; no job is done more often than it was requested; a thread sleeps
 * until its time has passed or a signal comes, and no longer; a held thread does nothing until it
 * is signalled; a killed thread does nothing, and begins at its start when it is added again.
 */
#include <lichen/coop.h>
#include <lichen/init.h>
#include <lichen/notify.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "chip/chip.h"
#include "jobs.h"
#include "wrap.h"

#define REST_US (REST_MS * TIME_US_PER_MS)

static const struct force_object object;

static const struct force_operation operation_signal = {
    .name = "signal",
    .object = &object,
    .in_thread = do_signal,
    .in_event = do_signal,
    .in_interrupt = FORCE_ALL_LEVELS(do_signal),
};
static const struct force_operation operation_nap = {
    .name = "nap",
    .object = &object,
    .in_thread = do_nap,
    .in_interrupt = FORCE_ALL_LEVELS(do_nap),
};
static const struct force_operation operation_add = {
    .name = "add", .object = &object, .in_event = do_add};
static const struct force_operation operation_rule = {
    .name = "rule", .object = &object, .in_thread = do_rule};

const struct force_operation *const force_operations[] = {
    &operation_signal,
    &operation_nap,
    &operation_add,
    &operation_rule,
};

/* ---------------------------------------------------------------- time, by the kernel's clock */
void time_look(void)
{
}

EVENT(tell_nap)
{
    time_passed.nap = true;
}
TIMER(nap_timer, tell_nap);

NOTIFY(rest_is_over);
EVENT(tell_rest)
{
    notify_post(&rest_is_over);
}
TIMER(rest_timer, tell_rest);

void force_start(void)
{
    force_start_wrap();
}

/* The clock is read before the stretch, since polling it is most of a sleep. */
static void prepare(void)
{
    bool is_told = force_acts(FORCE_STRETCH, &operation_nap);
    coop_signal(&ender);
    sleep_us(REST_US);
    force_pass_wrap();
    jobs_prepare();
    time_passed.is_told = is_told;
    time_passed.nap = !is_told;
    force_expect(timer_arm_every(&rest_timer, time_now_us() + REST_US, REST_US) == 0);
    if (is_told) {
        force_expect(timer_arm_after(&nap_timer, NAP_MS * TIME_US_PER_MS) == 0);
    }
}

/* Lets them run until the mote is asleep. The alarm that ends the sleep wakes the conductor before
 * them.
 */
static bool settle(void)
{
    bool must_rest = jobs_settle();
    if (must_rest) {
        notify_wait(&rest_is_over);
    }
    return must_rest;
}

static void check(void)
{
    jobs_check();
    force_expect(timer_cancel(&rest_timer) == 0);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
