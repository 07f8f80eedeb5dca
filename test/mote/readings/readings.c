/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How long readings of the clock take, against a counter that the kernel does not know: while
 * alarms are set and fire, whose steps cross into the slow clock's domain as the readings do.
 */
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "compute.h"
#include "reading.h"
#include "reference.h"
#include "test.h"
#include "timed_interrupt.h"

enum {
    ROUNDS = 4000,
    ASKED = 500,       /* times that others ask while one reads, */
    ASKED_EVERY = 900, /* with so many cycles in between */
    ASKING_US = 60,    /* for each that comes during a reading */
};

static uint32_t random_below(uint32_t end)
{
    static uint32_t number = 2463534242u;
    number ^= number << 13;
    number ^= number >> 17;
    number ^= number << 5;
    return (number >> 8) % end;
}

volatile unsigned reading_alarms;
EVENT(counts)
{
    reading_alarms++;
}
TIMER(near, counts);
TIMER(far, counts);

/* Makes another alarm the next one, or the same again. */
static void set_an_alarm(void)
{
    (void)timer_cancel(&near);
    expect_equal(timer_arm_after(&near, random_below(3000)), 0);
    if (random_below(2) == 0) {
        (void)timer_cancel(&far);
        expect_equal(timer_arm_after(&far, 1000 + random_below(20000)), 0);
    }
}

TEST(a_reading_takes_as_long_as_the_header_says_whatever_alarm_is_being_set)
{
    uint32_t worst = 0;

    sleep_ms(1000); /* the calibration at start-up has ended */
    reference_start();
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned alarms = random_below(4); alarms > 0; alarms--) {
            set_an_alarm();
            compute_us(random_below(250));
        }
        uint32_t us = reading_us();
        worst = us > worst ? us : worst;
        if (random_below(3) == 0) {
            sleep_us(random_below(2000));
        }
    }
    expect(worst <= most(READING_MOST_US));
}

TEST(a_reading_alone_takes_half_as_long)
{
    sleep_ms(30);        /* the alarms above have come, */
    (void)time_now_us(); /* and the next one, of a calibration, has been set */
    for (unsigned round = 0; round < ROUNDS; round++) {
        expect(reading_us() <= most(READING_ALONE_US));
        compute_us(random_below(250));
    }
}

static volatile unsigned asked;
EVENT(asks)
{
    struct time_moment moment;

    time_known(&moment);
    if (++asked < ASKED) {
        timed_interrupt_in(ASKED_EVERY);
    }
}
TIMED_INTERRUPT()
{
    event_post_from(&asks, LEVEL_DRIVER);
}

TEST(a_reading_does_not_wait_for_those_of_time_known)
{
    sleep_ms(5);
    timed_interrupt_enable();
    timed_interrupt_in(ASKED_EVERY);
    uint32_t us = reading_us();
    expect(us <= most(READING_MOST_US) + asked * ASKING_US);
    expect(asked < ASKED / 10);
    while (asked < ASKED) {
        (void)time_now_us();
    }
}
