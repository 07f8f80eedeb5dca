/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What does not end a program alone. The mote starts again after it. */
#include <lichen/assert.h>
#include <lichen/event.h>
#include <lichen/panic.h>

#include "../program/played.h"

static volatile unsigned runs;

/* Where the processor faults. */
static void faults(void)
{
    ((void (*)(void))(uintptr_t)0xf0000001)();
    runs++;
}

static void expect_fault_stops_it(void)
{
    play(&one, faults, 0);
    expect_equal(ends, 1);
    expect_equal(runs, 0);
    expect(program_crash_look() != 0);
    expect_equal(program_crash_look()->record.reason, PANIC_FAULT);
    expect(same_text(program_crash_look()->thread, "one_first"));
    expect(panic_last() == 0);
}

EVENT(fails)
{
    assert(runs == 1);
}

static void fails_in_an_event(void)
{
    event_post(&fails);
    runs++;
}

TEST(what_fails_in_an_event_is_a_panic_of_the_mote)
{
    const struct panic_record *record = panic_last();

    if (record == 0) {
        if (ARCH_FAULT_IS_PRECISE) {
            expect_fault_stops_it();
        }
        play(&one, fails_in_an_event, 0);
        expect_equal(runs, 100); /* is not reached */
    }
    expect_equal(record->reason, PANIC_ASSERT);
    expect_equal(record->thread, (uintptr_t)OBJECT(&one, first));
    expect(ARCH_STATUS_EXCEPTION(record->status) != 0);
    expect_equal(record->count, 1);
    expect(program_crash_look() == 0);
    panic_forget();
}
