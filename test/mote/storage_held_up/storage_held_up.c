/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The thread that writes an AT45DB041B is held up for longer than the part works on a page, at
 * every moment around the command that begins this.
 */
#include <lichen/log.h>
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

enum {
    HELD_MS = 25,
    SLEEPS_MS = 20,
    WRITES = 150,
    STEP = 64,      /* rounds of a loop, 2.5 us each: the first step towards the moment */
    SOONER_US = 500 /* half a tick */
};

LOG_CIRCULAR(ring, 4 * 248);

NOTIFY(begins);
NOTIFY(holds);
static volatile uint64_t idle_since;
static uint64_t held_from;

/* Runs when the writer sleeps, for the first time because the part works. */
THREAD(looks, 256, PRIORITY_LOW)
{
    for (;;) {
        notify_wait(&begins);
        idle_since = time_now_us();
    }
}

THREAD(holder, 256, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&holds);
        sleep_until_us(held_from);
        while (time_now_us() < held_from + HELD_MS * TIME_US_PER_MS) {
        }
    }
}

static int write_next(void)
{
    static uint8_t number;
    int error = log_append(&ring, &number, 1);

    number++;
    return error == 0 ? log_sync(&ring) : error;
}

TEST(a_writer_that_is_held_up_fails_nowhere)
{
    expect_equal(write_next(), 0);
    notify_post(&begins);
    uint64_t start = time_now_us();
    expect_equal(write_next(), 0);
    expect(idle_since > start);
    uint64_t length = idle_since - start;
    uint16_t rounds = 0;
    uint8_t step = STEP;
    bool was_sooner = false;

    for (uint8_t left = WRITES; left > 0; left--) {
        sleep_ms(1); /* to a tick */
        held_from = time_now_us() + length - SOONER_US;
        notify_post(&holds);
        for (volatile uint16_t round = rounds; round > 0; round--) {
        }
        start = time_now_us();
        expect_equal(write_next(), 0);
        /* Then it was held up and slept, one after the other. */
        bool is_sooner = time_now_us() - start > length + (HELD_MS + SLEEPS_MS) * TIME_US_PER_MS;

        if (is_sooner != was_sooner && step > 1) {
            step /= 2;
        }
        rounds = is_sooner ? rounds - step : rounds + step;
        was_sooner = is_sooner;
    }
}
