/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads only: no thread, no event, no list of deadlines. They run in the main loop,
 * which waits in WFE when none is ready; interrupts may change them between its last check and its
 * wait, too. The threads and their laws are those of test/force/coop. In addition, the mote sleeps
 * exactly as deeply as a limit allows that is set when a run begins.
 */
#include <lichen/coop.h>
#include <lichen/power.h>

#include "chip/chip.h"
#include "../coop/jobs.h"
#include "machine.h"
#include "moment.h"
#include "sleep_mode.h"

#define MS_TICKS (CHIP_TICK_HZ / 1000u) /* not quite a millisecond */

/* The last reading is older than a sleep lasts. */
#define UNREAD_TICKS (2u * NAP_MS * MS_TICKS)

POWER_LIMIT(limit);

static uint32_t begun_at;

static const struct force_object object;

static const struct force_operation operation_signal = {
    .name = "signal",
    .object = &object,
    .in_thread = do_signal,
    .in_interrupt = FORCE_ALL_LEVELS(do_signal),
};
static const struct force_operation operation_nap = {
    .name = "nap",
    .object = &object,
    .in_thread = do_nap,
    .in_interrupt = FORCE_ALL_LEVELS(do_nap),
};
static const struct force_operation operation_add = {
    .name = "add", .object = &object, .in_thread = do_add};
static const struct force_operation operation_rule = {
    .name = "rule", .object = &object, .in_thread = do_rule};

const struct force_operation *const force_operations[] = {
    &operation_signal,
    &operation_nap,
    &operation_add,
    &operation_rule,
};

void time_look(void)
{
    if (time_passed.is_told) {
        time_passed.nap = ticks_now() - begun_at >= NAP_MS * MS_TICKS;
    }
}

/* At a slower clock, fewer instructions are spent on polling. Functions that must run one at a time
 * are called directly: there is no kernel level. */
void force_start(void)
{
    chip_clock_set(SLOW_CLOCK);
    force_expect(chip_clock_hz() == SLOW_CLOCK_HZ);
    moment_start();
}

/* The conductor has slept without a limit: no alarm is set. */
static void prepare(void)
{
    bool is_told = force_acts(FORCE_STRETCH, &operation_nap);
    jobs_prepare();
    force_expect(sleep_mode() == SLEEP_DEEPEST);
    power_limit(&limit, SLEEP_COUNTING);
    begun_at = moment_begin(UNREAD_TICKS);
    time_passed.is_told = is_told;
    time_passed.nap = !is_told;
}

static void check(void)
{
    jobs_check();
    force_expect(sleep_mode() == SLEEP_COUNTING);
    power_unlimit(&limit);
}

static const struct force_object object = {
    .prepare = prepare, .settle = jobs_settle, .check = check};
