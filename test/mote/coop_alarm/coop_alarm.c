/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An alarm of cooperative threads fires while the one before it is served, as may happen in
 * programs without a kernel level. Between the two, 32 bits of ticks have wrapped: half of one
 * moment combined with half of the other gives a third, 36 hours ahead, at which no thread may
 * wake. An interrupt reports the alarm in place of the chip, at every cycle of the serving.
 */
#include <lichen/coop.h>
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/time.h>

#include "test.h"
#include "timed_interrupt.h"

#define WRAP       UINT64_C(0x100000000)
#define WRAP_S     131072u
#define LAST_CYCLE 1500u

/* Defined by the kernel. */
void coop_alarm_fired(uint64_t reached);

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

EVENT(fires)
{
    coop_alarm_fired(WRAP - 1);
}

static volatile unsigned fired;
INTERRUPT(TC3)
{
    timed_interrupt_clear();
    coop_alarm_fired(WRAP);
    fired++;
}

TEST(an_alarm_that_fires_while_another_is_served_wakes_nobody_early)
{
    timed_interrupt_enable();
    sleep_until_us((uint64_t)(WRAP_S + 1) * TIME_US_PER_S);
    coop_signal(&sleeper);
    sleep_ms(10);
    for (uint16_t cycles = 1; cycles <= LAST_CYCLE; cycles++) {
        event_post(&fires);
        timed_interrupt_in(cycles);
        sleep_ms(2);
        expect(!woke);
    }
    expect_equal(fired, LAST_CYCLE);
    sleep_ms(30000);
    expect(woke);
}
