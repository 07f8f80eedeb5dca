/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A mote that waits for input, and reads its clock for the first time when the input comes: after
 * 36 hours, while the counter wraps.
 *
 * Each start is one try, at another moment around the wrap, and sets the counter forward at its
 * beginning. A word that start-up does not touch counts the starts. After power-on its value is
 * random, so the first start is recognised by its cause.
 */
#include <lichen/event.h>
#include <lichen/reset.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "counter.h"
#include "test.h"

#define WRAP_US (UINT64_C(15625) << 23) /* 2^32 ticks */

#define LENGTH_US    20000u
#define LENGTH_TICKS 656u /* rounded up to whole ticks */
#define LATE_TICKS   (TIME_LATE_TICKS + 2 * COUNTER_READING)

enum {
    BEFORE = 14, /* ticks */
    PHASES = 4,  /* of a tick */
    PHASE_CYCLES = 61,
    LIVES = 2 * BEFORE * PHASES,
};

static __attribute__((section(".noinit"))) unsigned life;

static void wait_cycles(uint32_t cycles)
{
    uint32_t turns = cycles / 3 + 1;
    __asm__ volatile("1: sub %0, #1\n\tbne 1b" : "+l"(turns) : : "cc");
}

static volatile bool fired;
static volatile uint32_t fired_count;
EVENT(fires)
{
    fired = true;
    fired_count = counter_read() - COUNTER_READING;
}
TIMER(timer, fires);

static void expect_wrapped_just_now(uint64_t now)
{
    expect(now >= WRAP_US);
    expect(now <= WRAP_US + 2 * LENGTH_US);
}

static void begin_by_a_length(uint32_t count)
{
    expect_equal(timer_arm_after(&timer, LENGTH_US), 0);
    for (unsigned ms = 0; ms < 40 && !fired; ms++) {
        wait_cycles(8000);
    }
    expect(fired);
    expect(fired_count - count >= LENGTH_TICKS);
    expect(fired_count - count <= LENGTH_TICKS + LATE_TICKS);
    expect_wrapped_just_now(time_now_us());
}

static void begin_by_a_look(void)
{
    uint64_t before = time_now_us();
    expect(before >= WRAP_US - TIME_US_PER_MS);
    wait_cycles(8000);
    uint64_t now = time_now_us();
    expect(now >= before + 900);
    expect_wrapped_just_now(now);
}

TEST(the_first_reading_in_a_life_is_right_amid_a_wrap)
{
    if (reset_cause() == RESET_POWER) {
        life = 0;
    }
    uint32_t count = 0u - 1 - life / 2 % BEFORE;
    counter_set(count);
    wait_cycles(life / 2 / BEFORE * PHASE_CYCLES);
    if (life % 2 == 0) {
        begin_by_a_length(count);
    } else {
        begin_by_a_look();
    }
    if (++life < LIVES) {
        reset_mote();
    }
}
