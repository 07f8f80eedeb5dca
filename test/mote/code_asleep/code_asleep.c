/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Without real-time tasks in RAM the processor of a SAM R21 sleeps until a command has ended, in
 * the handler that gave it. What wakes it meanwhile, and must wait, comes afterwards.
 */
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "chip/code.h"
#include "test.h"

enum {
    PAGES = 5,
    EVERY_MS = 3,
    LATEST_MS = 20, /* a page, and 1.2 or 3.9 ms (lichen/time.h) */
};

static uint64_t due;
static volatile uint32_t latest_us;
static volatile uint8_t fired;

EVENT(fires)
{
    uint32_t late = (uint32_t)(time_now_us() - due);

    latest_us = late > latest_us ? late : latest_us;
    fired++;
}
TIMER(timer, fires);

static void arm(void)
{
    due = time_now_us() + EVERY_MS * TIME_US_PER_MS;
    (void)!timer_arm(&timer, due);
}

static unsigned wrong(code_address_t page, uint16_t salt)
{
    unsigned count = 0;

    for (unsigned offset = 0; offset < CODE_PAGE; offset += 2) {
        count += code_read(page + offset) != (uint16_t)(offset * salt);
    }
    return count;
}

TEST(alarms_that_come_while_pages_are_written_are_served_behind_them)
{
    code_address_t page = code_programs_begin();

    for (uint16_t i = 1; i <= PAGES; i++) {
        arm();
        for (unsigned offset = 0; offset < CODE_PAGE; offset += 2) {
            code_put((uint8_t)offset, (uint16_t)(offset * i));
        }
        expect_equal(code_write(page), 0);
        expect_equal(fired, i);
        expect_equal(wrong(page, i), 0);
    }
    expect(latest_us < LATEST_MS * 1000u);
    expect_equal(code_erase(page), 0);
    expect_equal(code_read(page + 2), 0xffff);
}
