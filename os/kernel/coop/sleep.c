/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sleeping cooperative threads: wake times are kernel milliseconds, 16 bits. A sleep begins within
 * one of them, so it ends at the beginning of the one after it has lasted long enough.
 *
 * Sixteen bits say when a sleeper wakes as long as all wake times lie within 65 s of one moment
 * that is known: the one up to which sleepers have been woken. A piece of a sleep lasts 30 s at
 * most, and the moment is moved on before a sleep begins that is more than 32 s after it; so it
 * does not matter how long threads and events have kept the processor.
 *
 * A sleep reads the clock once, at its beginning. When the alarm fires, the time is known without
 * reading.
 */
#include "kernel/coop/coop.h"

#include "chip/chip.h"
#include "kernel/start.h"

/* In a program that has deadlines, alarm.c does what chip_alarm.c does in others. */
NEEDS(coop_chip_alarm);

/* A millisecond has 2^n / 125 ticks; n is 12 for 32,768 Hz. The product loses only bits above
 * those that determine 16 bits of milliseconds, and 2^32 ticks are a multiple of 2^16 ms. */
#define TICK_MS_FACTOR 125u
#define TICK_MS_SHIFT  ((unsigned)__builtin_ctz(CHIP_TICK_HZ / 8u))

/* The same number in two parts: whole ticks, and 65,536ths of a tick, rounded up. */
#define TICKS_PER_MS      (CHIP_TICK_HZ / 1000u)
#define TICKS_PER_MS_REST ((CHIP_TICK_HZ % 1000u * UINT32_C(65536) + 999u) / 1000u)

/* How far behind the known time below may be when a sleep begins: 32 s. */
#define BEHIND_TICKS (UINT32_C(32) * CHIP_TICK_HZ)

/* Up to 64 s after the known time, 16 bits tell how many milliseconds have passed since. */
#define TELLING_TICKS (UINT32_C(64) * CHIP_TICK_HZ)

_Static_assert(COOP_SLEEP_MAX_MS + 3u + 32000u <= UINT16_MAX, "wake times within 65 s");

static uint64_t woken_until; /* the known time: sleepers due by it are awake */

static uint64_t reached;    /* the tick at which the alarm fired; valid once `fired` is set */
static volatile bool fired; /* set by the alarm, after `reached` */
static bool alarm_is_set;   /* an alarm is set that has not been seen to fire */
static uint64_t alarm_tick;

static uint16_t ms_of(const uint64_t *tick)
{
    return (uint16_t)((uint32_t)*tick * TICK_MS_FACTOR >> TICK_MS_SHIFT);
}

/* Ticks from `now` to the beginning of the millisecond that is `ms` later, or up to 2 more:
 * dividing by 125 would cost a library. */
static uint32_t ticks_until(const uint64_t *now, uint16_t ms)
{
    uint32_t begun = ((uint32_t)*now * TICK_MS_FACTOR & ((1u << TICK_MS_SHIFT) - 1)) >> 7;
    return ms * (uint32_t)TICKS_PER_MS + (ms * TICKS_PER_MS_REST >> 16) + 1u - begun;
}

/* Lets the alarm fire by the beginning of the millisecond that is `ms` later. */
static void alarm_by(const uint64_t *now, uint16_t ms)
{
    uint64_t tick = ticks_until(now, ms);
    arch_u64_add(&tick, now, false);
    if (!alarm_is_set || arch_u64_less(&tick, &alarm_tick)) {
        alarm_is_set = true;
        arch_u64_copy(&alarm_tick, &tick);
        coop_alarm_set(&alarm_tick);
    }
}

/* No wake time equals the flag, or 0 for none: 2 ms of 65,536 are skipped. */
static uint16_t wake_time(uint16_t ms)
{
    return ms <= COOP_SIGNALLED ? COOP_SIGNALLED + 1u : ms;
}

/* Wakes the threads whose time has come.
 * beginner  one that begins to sleep and has no wake time yet, or 0
 * returns   milliseconds until the next one's, or 0 if no other sleeps
 */
static uint16_t wake_until(const uint64_t *now, const struct coop *beginner)
{
    bool tells = arch_u64_between(&woken_until, now) < TELLING_TICKS;
    uint16_t base = ms_of(&woken_until);
    uint16_t passed = tells ? (uint16_t)(ms_of(now) - base) : UINT16_MAX;
    uint16_t next = 0;
    volatile uint16_t *wake = coop_wakes;
    for (struct coop *thread = coop_states; thread < coop_states_end; thread++, wake++) {
        uint16_t length = (uint16_t)(*wake - base);
        if (thread->state != COOP_SLEEPING || thread == beginner) {
            continue;
        }
        if (length <= passed) {
            thread->state = COOP_READY;
        } else if (next == 0 || length - passed < next) {
            next = (uint16_t)(length - passed);
        }
    }
    arch_u64_copy(&woken_until, now);
    return next;
}

struct sleep {
    struct coop *thread;
    uint16_t ms;
    uint64_t now;
};

static int sleep_from_now(void *argument)
{
    const struct sleep *sleep = argument;
    volatile uint16_t *wake = coop_wake_of(sleep->thread);
    uint16_t begun_ms = (uint16_t)(sleep->ms + 1u);
    if (arch_u64_between(&woken_until, &sleep->now) >= BEHIND_TICKS) {
        (void)wake_until(&sleep->now, sleep->thread);
    }
    *wake = wake_time((uint16_t)(ms_of(&sleep->now) + begun_ms));
    if (sleep->thread->state != COOP_SLEEPING) {
        *wake = COOP_SIGNALLED;
    } else {
        alarm_by(&sleep->now, begun_ms);
    }
    return 0;
}

void coop_sleep_begin(struct coop *self, uint16_t ms)
{
    volatile uint16_t *wake = coop_wake_of(self);
    self->state = COOP_SLEEPING;
    if (*wake == COOP_SIGNALLED) {
        self->state = COOP_READY;
        return;
    }
    struct sleep sleep;
    sleep.thread = self;
    sleep.ms = ms;
    coop_clock_read(&sleep.now);
    coop_clock_call(sleep_from_now, &sleep);
}

uint32_t coop_sleep_piece(struct coop *self, uint32_t ms)
{
    uint32_t piece = ms < COOP_SLEEP_MAX_MS ? ms : COOP_SLEEP_MAX_MS;
    coop_sleep_begin(self, (uint16_t)piece);
    return ms - piece;
}

/* A signal leaves its flag, or none if it found the thread held; time leaves the wake time. A flag
 * that is not seen here is another signal's, for the next wait. */
bool coop_sleep_ended(struct coop *self)
{
    volatile uint16_t *wake = coop_wake_of(self);
    uint16_t left = *wake;
    if (left == COOP_SIGNALLED) {
        *wake = COOP_NO_WAKE;
    }
    return left > COOP_SIGNALLED;
}

/* The compiler moves no access to `reached` over one to `fired`. */
static inline void in_order(void)
{
    __asm__ volatile("" : : : "memory");
}

void coop_alarm_fired(const uint64_t *tick)
{
    arch_u64_copy(&reached, tick);
    in_order();
    fired = true;
    arch_wake();
}

/* Sleepers may already have been woken up to a later moment than the alarm's. That is read in
 * pieces, between which another alarm may fire where there is no kernel level. */
static int serve(void *argument)
{
    (void)argument;
    uint64_t now;
    do {
        fired = false;
        in_order();
        arch_u64_copy(&now, &reached);
        in_order();
    } while (fired);
    alarm_is_set = false;
    if (arch_u64_less(&now, &woken_until)) {
        arch_u64_copy(&now, &woken_until);
    }
    uint16_t next = wake_until(&now, 0);
    if (next != 0) {
        alarm_by(&now, next);
    }
    return 0;
}

void coop_sleep_serve(void)
{
    if (fired) {
        coop_clock_call(serve, 0);
    }
}
