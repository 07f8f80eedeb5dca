/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue that interrupts fill accepts nothing from threads and events, which would be second
 * writers of its index. Each way of sending ends the program; the next start checks the record.
 */
#include <lichen/event.h>
#include <lichen/panic.h>
#include <lichen/queue.h>
#include <lichen/reset.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

/* A word that start-up does not touch counts the starts. */
static __attribute__((section(".noinit"))) unsigned start;

static QUEUE_RT(samples, uint16_t, 4, 0);
static const uint16_t value = 7;

static void send(void)
{
    queue_send(&samples.queue, &value);
}

static void send_until(void)
{
    (void)!queue_send_until(&samples.queue, &value, TIME_NEVER);
}

EVENT(sends)
{
    (void)!queue_try_send(&samples.queue, &value);
}

static void send_in_event(void)
{
    event_post(&sends);
}

static void (*const flags[])(void) = {send, send_until, send_in_event};
#define FLAGS (sizeof(flags) / sizeof(flags[0]))

TEST(sending_into_a_queue_of_interrupts_asserts)
{
    if (reset_cause() == RESET_POWER) {
        start = 0;
    } else {
        expect_equal(panic_last()->reason, PANIC_ASSERT);
    }
    if (start < FLAGS) {
        flags[start++]();
        expect(false);
    }
}

TEST(receiving_from_it_finds_nothing)
{
    uint16_t received;
    expect_equal(queue_try_receive(&samples.queue, &received), ERR_EMPTY);
}
