/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sleeping cooperative threads: wake times are kernel milliseconds, 16 bits, which is far more than
 * the longest piece of a sleep. A sleep begins within one of them, so it ends at the beginning of
 * the one after it has lasted long enough.
 *
 * A sleep reads the clock once, at its beginning. When the alarm fires, the time is known without
 * reading.
 */
#include "kernel/coop/coop.h"

#include "kernel/coop/clock.h"
#include "kernel/start.h"

/* The alarm of its own is in the program, and gives way to the one among deadlines where that is;
 * weak, so that the linker does not choose by itself. */
NEEDS(coop_own_alarm);
#pragma weak coop_clock_call
#pragma weak coop_clock_read
#pragma weak coop_alarm_set

/* A second has 32,768 ticks, a millisecond 4096 / 125 of them. The product loses only bits above
 * those that 16 bits of milliseconds come from, and 2^32 ticks are a multiple of 2^16 ms. */
#define TICK_MS_FACTOR 125u
#define TICK_MS_SHIFT  12

static volatile bool fired; /* set by the alarm */
static bool alarm_is_set;   /* and has not been seen to fire */
static uint32_t alarm_tick;

static uint16_t ms_of(uint32_t tick)
{
    return (uint16_t)(tick * TICK_MS_FACTOR >> TICK_MS_SHIFT);
}

/* Ticks from `now` to the beginning of the millisecond that is `ms` later, or up to 2 more:
 * dividing by 125 would cost a library. 50,332 is 65,536 * 0.768. */
static uint32_t ticks_until(uint32_t now, uint16_t ms)
{
    uint32_t begun = (now * TICK_MS_FACTOR & ((1u << TICK_MS_SHIFT) - 1)) >> 7;
    return ms * 32u + (ms * 50332u >> 16) + 1u - begun;
}

/* Sets the alarm to fire when the millisecond begins that is `ms` after the one of `now`. */
static void alarm_after(uint16_t ms, uint32_t now, bool fresh)
{
    alarm_tick = now + ticks_until(now, ms);
    coop_alarm_set(alarm_tick, fresh);
}

/* No wake time is the flag: 1 ms of 65,536 is left out. */
static uint16_t wake_time(uint16_t ms)
{
    return ms == COOP_SIGNALLED ? COOP_SIGNALLED + 1u : ms;
}

struct sleep {
    struct coop *thread;
    uint16_t ms;
    uint32_t now;
};

static int sleep_from_now(void *argument)
{
    const struct sleep *sleep = argument;
    volatile uint16_t *wake = coop_wake_of(sleep->thread);
    uint32_t now = sleep->now;
    uint16_t begun_ms = (uint16_t)(sleep->ms + 1u);
    *wake = wake_time((uint16_t)(ms_of(now) + begun_ms));
    if (sleep->thread->state != COOP_SLEEPING) {
        *wake = COOP_SIGNALLED;
    } else if (!alarm_is_set || (int32_t)(alarm_tick - now - ticks_until(now, begun_ms)) > 0) {
        alarm_is_set = true;
        alarm_after(begun_ms, now, true);
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
    struct sleep sleep = {.thread = self, .ms = ms, .now = coop_clock_read()};
    coop_clock_call(sleep_from_now, &sleep);
}

uint32_t coop_sleep_piece(struct coop *self, uint32_t ms)
{
    uint32_t piece = ms < COOP_SLEEP_MAX_MS ? ms : COOP_SLEEP_MAX_MS;
    coop_sleep_begin(self, (uint16_t)piece);
    return ms - piece;
}

/* A signal leaves its flag, time leaves the wake time. A flag that is not seen here is another
 * signal's, for the next wait. */
bool coop_sleep_ended(struct coop *self)
{
    volatile uint16_t *wake = coop_wake_of(self);
    if (*wake != COOP_SIGNALLED) {
        return true;
    }
    *wake = 0;
    return false;
}

void coop_alarm_fired(void)
{
    fired = true;
}

/* Wakes those whose time has come.
 * returns   milliseconds until the next one's, or 0 if no other sleeps
 */
static uint16_t wake_until(uint16_t now_ms)
{
    int next = 0;
    volatile uint16_t *wake = coop_wakes;
    for (struct coop *thread = coop_states; thread < coop_states_end; thread++, wake++) {
        int left = (int16_t)(*wake - now_ms);
        if (thread->state != COOP_SLEEPING) {
            continue;
        }
        if (left <= 0) {
            thread->state = COOP_READY;
        } else if (next == 0 || left < next) {
            next = left;
        }
    }
    return (uint16_t)next;
}

static int serve(void *argument)
{
    (void)argument;
    uint32_t now = alarm_tick;
    uint16_t next = wake_until(ms_of(now));
    fired = false;
    alarm_is_set = next != 0;
    if (next != 0) {
        alarm_after(next, now, false);
    }
    return 0;
}

void coop_clock_serve(void)
{
    if (fired) {
        coop_clock_call(serve, 0);
    }
}
