/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads alone: no thread, no event, no list of deadlines. They run in the main loop,
 * which waits in WFE when none is ready; what interrupts do to them comes between its look and its
 * wait, too. The threads and their laws are those of test/force/coop. And the mote sleeps as deep
 * as a limit allows that is set when a run begins, and no deeper.
 */
#include <lichen/coop.h>
#include <lichen/power.h>

#include "chip/chip.h"
#include "chip/samr21/reg/pm.h"
#include "../coop/jobs.h"
#include "wrap.h"

/* What has not been set is 0, which is a moment to come for 16 bits of milliseconds. Who sleeps for
 * none sets an alarm so near that it must be asked whether it has passed. */
#define BEGIN_TICKS (40u * CHIP_TICK_HZ + 7u)
#define MS_TICKS    32u /* not quite a millisecond */

/* The last reading is older than a sleep is long. */
#define UNREAD_TICKS (2u * NAP_MS * MS_TICKS)

#define SCB_SCR           (*(volatile uint32_t *)0xe000ed10u)
#define SCB_SCR_SLEEPDEEP 4u

POWER_LIMIT(limit);

static uint32_t begun_at;

static uint32_t ticks_now(void)
{
    chip_ticks_request();
    return chip_ticks_take();
}

static const struct force_object object;

static const struct force_operation operation_signal = {
    .name = "signal",
    .object = &object,
    .in_thread = do_signal,
    .in_interrupt = {do_signal, do_signal, do_signal},
};
static const struct force_operation operation_nap = {
    .name = "nap",
    .object = &object,
    .in_thread = do_nap,
    .in_interrupt = {do_nap, do_nap, do_nap},
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

/* The slower the processor, the fewer instructions poll a clock. What one caller at a time does is
 * done here and now: there is no kernel level to do it at. */
void force_start(void)
{
    chip_clock_set(CHIP_CLOCK_4_MHZ);
    force_expect(chip_clock_hz() == 4000000);
}

/* The mode that was chosen when the mote idled last. */
static unsigned chosen(void)
{
    return (SCB_SCR & SCB_SCR_SLEEPDEEP) != 0 ? CHIP_SLEEP_STANDBY : PM->SLEEP;
}

/* The conductor has slept, without a limit: no alarm is set. */
static void prepare(void)
{
    bool is_told = force_acts(FORCE_STRETCH, &operation_nap);
    jobs_prepare();
    force_expect(chosen() == CHIP_SLEEP_STANDBY);
    power_limit(&limit, CHIP_SLEEP_IDLE2);
    force_ticks_set(BEGIN_TICKS - UNREAD_TICKS);
    (void)ticks_now();
    force_ticks_set(BEGIN_TICKS);
    begun_at = BEGIN_TICKS;
    time_passed.is_told = is_told;
    time_passed.nap = !is_told;
}

static void check(void)
{
    jobs_check();
    force_expect(chosen() == CHIP_SLEEP_IDLE2);
    power_unlimit(&limit);
}

static const struct force_object object = {
    .prepare = prepare, .settle = jobs_settle, .check = check};
