/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events in a program without threads: os/arch/armv6m/events.S serves the kernel level, above
 * cooperative threads in the main loop. Woven pairs and the jobs of cooperative threads: every way
 * of requesting them against every other; the laws are those of test/force/events and
 * test/force/coop.
 */
#include <lichen/coop.h>
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "../coop/jobs.h"
#include "../events/events.h"
#include "chip/chip.h"
#include "wrap.h"

static const struct force_object jobs;

static const struct force_operation operation_signal = {
    .name = "signal",
    .object = &jobs,
    .in_thread = do_signal,
    .in_event = do_signal,
    .in_interrupt = FORCE_ALL_LEVELS(do_signal),
};
static const struct force_operation operation_nap = {
    .name = "nap",
    .object = &jobs,
    .in_thread = do_nap,
    .in_event = do_nap,
    .in_interrupt = FORCE_ALL_LEVELS(do_nap),
};
static const struct force_operation operation_add = {
    .name = "add", .object = &jobs, .in_thread = do_add, .in_event = do_add};

const struct force_operation *const force_operations[] = {
    &operation_weave,  &operation_chain, &operation_half,
    &operation_signal, &operation_nap,   &operation_add,
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

static void prepare(void)
{
    bool is_told = force_acts(FORCE_STRETCH, &operation_nap);
    jobs_prepare();
    time_passed.is_told = is_told;
    time_passed.nap = !is_told;
    if (is_told) {
        force_expect(timer_arm_after(&nap_timer, NAP_MS * TIME_US_PER_MS) == 0);
    }
}

static void check(void)
{
    jobs_check();
}

static const struct force_object jobs = {.prepare = prepare, .settle = jobs_settle, .check = check};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
