/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An alarm of cooperative threads fires while the one before it is served, as may happen in
 * programs without a kernel level. Between the two, the lower part of the ticks has wrapped: a part
 * of one moment combined with a part of the other gives a third, hours ahead, at which no thread
 * may wake. An interrupt reports the alarm in place of the chip, at every cycle of the serving.
 */
#include <lichen/coop.h>
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/time.h>

#include "coop_alarm_of_chip.h"
#include "test.h"
#include "timed_interrupt.h"

/* 36 hours after start-up, or four and a half. */
#define WRAP   (UINT64_C(1) << WRAP_BITS)
#define WRAP_S (WRAP / CHIP_TICK_HZ)

/* Defined by the kernel. */
void coop_alarm_fired(const uint64_t *reached);

static volatile bool woke;
COOP(sleeper)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        woke = false;
        coop_sleep_ms(25000);
        woke = true;
    }
    COOP_END();
}

static const uint64_t before = WRAP - 1;
EVENT(fires)
{
    coop_alarm_fired(&before);
}

static volatile unsigned fired;
static const uint64_t wrap = WRAP;
TIMED_INTERRUPT()
{
    coop_alarm_fired(&wrap);
    fired++;
}

TEST(an_alarm_that_fires_while_another_is_served_wakes_nobody_early)
{
    timed_interrupt_enable();
    sleep_until_us((WRAP_S + 1) * TIME_US_PER_S);
    coop_signal(&sleeper);
    sleep_ms(10);
    unsigned tries = 0;
    for (uint16_t cycles = 1; cycles <= LAST_CYCLE; cycles += STEP, tries++) {
        event_post(&fires);
        timed_interrupt_in(cycles);
        sleep_ms(2);
        expect(!woke);
    }
    expect_equal(fired, tries);
    sleep_ms(30000);
    expect(woke);
}
