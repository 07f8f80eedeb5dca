/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Long idling: an hour in the deepest sleep, ended by a character typed at its end (input.txt), and
 * one ended by the clock.
 */
#include <lichen/console.h>
#include <lichen/time.h>

#include <string.h>

#include "test.h"

#define HOUR_US (3600 * TIME_US_PER_S)

static char line[16];

/* The mote's clock runs from its own oscillator, which may be off by some percent: the line comes
 * at 3,600 s of true time. */
TEST(the_console_answers_after_an_hour)
{
    size_t length = console_read_line(line, sizeof(line));
    uint64_t now = time_now_us();

    expect_equal(length, strlen("good morning"));
    expect(strcmp(line, "good morning") == 0);
    expect(now > HOUR_US / 100 * 97);
    expect(now < HOUR_US / 100 * 103);
}

TEST(a_timer_of_an_hour_fires_on_time)
{
    uint64_t deadline = time_now_us() + HOUR_US;

    sleep_until_us(deadline);
    uint64_t now = time_now_us();

    expect(now >= deadline);
    expect(now <= deadline + EXTRA_US);
}
