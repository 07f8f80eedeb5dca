/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Holding a dead cooperative thread would revive it in the middle of its body. One that blocks
 * would continue as if it had what it waits for, since all of them run in the idle thread, which
 * cannot wait, nor have another priority. Each case ends the program; the next start checks the
 * record.
 */
#include <lichen/coop.h>
#include <lichen/panic.h>
#include <lichen/reset.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

COOP(dead)
{
    COOP_BEGIN();
    COOP_END();
}

COOP(holds)
{
    COOP_BEGIN();
    coop_wait();
    coop_hold(&dead);
    COOP_END();
}

SEMAPHORE(nothing, 0);

/* `lichen build` refuses the call, but does not follow pointers. */
static void (*volatile wait_for)(struct semaphore *semaphore) = semaphore_wait;

COOP(blocks)
{
    COOP_BEGIN();
    coop_wait();
    wait_for(&nothing);
    COOP_END();
}

COOP(promotes)
{
    COOP_BEGIN();
    coop_wait();
    thread_set_priority(thread_self(), PRIORITY_APP);
    COOP_END();
}

TEST(holding_a_dead_thread_asserts)
{
    sleep_ms(1);
    expect_equal(dead.state, COOP_DEAD);
    if (reset_cause() == RESET_POWER) {
        coop_signal(&holds);
        sleep_ms(1);
        expect(false);
    }
    expect_equal(panic_last()->reason, PANIC_ASSERT);
}

TEST(blocking_asserts)
{
    if (panic_last()->count == 1) {
        coop_signal(&blocks);
        sleep_ms(1);
        expect(false);
    }
    expect(panic_last()->count >= 2);
    expect_equal(panic_last()->reason, PANIC_ASSERT);
}

TEST(a_priority_for_the_idle_thread_asserts)
{
    if (panic_last()->count == 2) {
        coop_signal(&promotes);
        sleep_ms(1);
        expect(false);
    }
    expect_equal(panic_last()->count, 3);
    expect_equal(panic_last()->reason, PANIC_ASSERT);
}
