/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A sleep limit, which may be set at any level.
 *
 * Laws, which the conductor checks when it idles after the run: the mote sleeps exactly as deeply
 * as limits allow; while an alarm is crossing to the slow clock there is a limit, if the chip needs
 * one, and none after that; what is due at once or was due before fires, although the kernel knows
 * only the wrap, and not the present time.
 */
#include <lichen/event.h>
#include <lichen/kernel.h>
#include <lichen/notify.h>
#include <lichen/power.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "alarm.h"
#include "kernel/time/time.h"
#include "sleep_mode.h"
#include "timers.h"

#define LIGHTEST 0u /* of the modes of sleep */

#define REST_US 1000u
#define IDLE_US 4000u /* long enough for an alarm to cross */
#define LONG_US 50000u
#define PAST_US 100u
#define FAR_US  (UINT64_C(1) << 32)

extern const volatile uint8_t power_limits_begin[], power_limits_end[];

POWER_LIMIT(limit);
POWER_LIMIT(resting);
static volatile bool rests[FORCE_ACTORS];
static volatile uint8_t limited; /* in this run, by any actor */

NOTIFY(awake);

EVENT(wakes)
{
    notify_post(&awake);
}
TIMER(alarm_clock, wakes);

static void set_limit(unsigned actor __attribute__((unused)))
{
    limited = 1;
    power_limit(&limit, LIGHTEST);
}

/* A limit has one writer at a time: all actors set the same one. */
static inline __attribute__((always_inline)) void limit_at(unsigned actor,
                                                           unsigned level __attribute__((unused)))
{
    set_limit(actor);
}
FORCE_AT_EACH_LEVEL(limit_at)

/* As a driver that waits for what a deep sleep would stop. The limit holds until it is lifted,
 * whatever comes between a wait and the idle thread: lichen-force compares the mode with the limits
 * whenever the mote falls asleep. */
static void rest(unsigned actor)
{
    rests[actor] = true;
    if (actor == FORCE_STRETCH) {
        power_limit(&resting, LIGHTEST);
    }
    sleep_us(REST_US);
    if (actor == FORCE_STRETCH) {
        power_unlimit(&resting);
    }
    rests[actor] = false;
}

/* The conductor waits with those that rest, so that nobody is ready. */
static bool settle(void)
{
    bool waits = false;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        waits |= rests[actor];
    }
    if (waits) {
        sleep_us(REST_US);
    }
    return waits;
}

static void prepare(void)
{
    limited = 0;
    limit = 0;
    resting = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        rests[actor] = false;
    }
}

/* 1 more than the deepest mode that all limits allow, or 0 if no limit is set. */
static unsigned least_limit(void)
{
    unsigned least = 0;
    for (const volatile uint8_t *one = power_limits_begin; one < power_limits_end; one++) {
        least = *one != 0 && (least == 0 || *one < least) ? *one : least;
    }
    return least;
}

static void check_crossing(void)
{
    unsigned least = least_limit();
    force_expect(!alarm_crosses() || alarm_may_cross(least));
}

static void wait_until_awake(void)
{
    notify_wait(&awake);
}

/* Idles with a limit that was set earlier, with no request to the kernel since, and then without
 * one, from the time when the alarm crosses. */
static void check_depth(void)
{
    force_expect(timer_arm(&alarm_clock, time_now_us() + IDLE_US) == 0);
    check_crossing();
    while (alarm_crosses()) {
    }
    force_expect(least_limit() == (limited ? LIGHTEST + 1u : 0));
    power_limit(&limit, LIGHTEST);
    wait_until_awake();
    force_expect(sleep_mode() == LIGHTEST);
    power_unlimit(&limit);
    force_expect(timer_arm_after(&alarm_clock, IDLE_US) == 0);
    check_crossing();
    wait_until_awake();
    force_expect(sleep_mode() == SLEEP_DEEPEST);
}

/* A length that exceeds 32 bits of microseconds may still fit 32 bits of ticks. The tick in
 * progress counts as passed. */
static void check_far(void)
{
    force_expect(timer_arm_after(&alarm_clock, FAR_US) == 0);
    while (alarm_crosses()) {
    }
    uint64_t ahead = alarm_clock.deadline.tick - deadline_now();
    force_expect(ahead <= deadline_of_us(FAR_US) + 1 && ahead > deadline_of_us(FAR_US - IDLE_US));
    force_expect(timer_cancel(&alarm_clock) == 0);
}

/* Values left on the stack do not affect these calls. */
static void check_past(void)
{
    uint64_t now = time_now_us();
    force_litter_kernel();
    force_expect(timer_arm(&alarm_clock, now - PAST_US) == 0);
    wait_until_awake();
    force_litter_kernel();
    force_expect(timer_arm_after(&alarm_clock, 0) == 0);
    wait_until_awake();
    force_litter_kernel();
    force_expect(timer_arm_every(&alarm_clock, now - PAST_US, LONG_US) == 0);
    wait_until_awake();
    force_expect(timer_cancel(&alarm_clock) == 0);
    force_litter_kernel();
    sleep_us(0);
    check_far();
}

static void check(void)
{
    check_depth();
    if (force_acts(FORCE_STRETCH, &operation_limit)) {
        check_past();
    }
    force_check_event(&wakes);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_limit = {
    .name = "limit",
    .object = &object,
    .in_thread = set_limit,
    .in_event = set_limit,
    .in_interrupt = FORCE_LEVELS_OF(limit_at),
};

const struct force_operation operation_rest = {
    .name = "rest",
    .object = &object,
    .in_thread = rest,
};
