/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Queues that interrupts fill, at the drivers' level and at those above it. */
#include <lichen/interrupt.h>
#include <lichen/queue.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "software_interrupt.h"
#include "test.h"

/* A level above the drivers'. */
#define ABOVE (LEVEL_DRIVER - 1)

INTERRUPTS_THAT_CALL;

QUEUE_RT(most_urgent, uint16_t, 4, 0);
QUEUE_RT(above, uint16_t, 4, ABOVE);
QUEUE_RT(of_drivers, uint16_t, 4, LEVEL_DRIVER);

static volatile unsigned per_interrupt = 1, refused;
static uint16_t next[LEVEL_KERNEL];

static struct queue_rt *queue_of(unsigned level)
{
    return level == 0 ? &most_urgent : level == ABOVE ? &above : &of_drivers;
}

static inline __attribute__((always_inline)) void send(unsigned level)
{
    for (unsigned i = 0; i < per_interrupt; i++) {
        uint16_t value = next[level];
        if (queue_send_from(queue_of(level), &value, level) == 0) {
            next[level]++;
        } else {
            refused++;
        }
    }
}

SOFTWARE_INTERRUPTS(send)

TEST(interrupts_of_each_level_send_in_order)
{
    software_interrupts_enable();
    per_interrupt = 3;
    for (uint16_t round = 0; round < 50; round++) {
        software_interrupts(SOFTWARE_LEVELS);
        for (unsigned level = 0; level < LEVEL_KERNEL; level++) {
            for (uint16_t i = 0; i < 3; i++) {
                uint16_t value = 0;
                queue_receive(&queue_of(level)->queue, &value);
                expect_equal(value, round * 3 + i);
            }
        }
    }
    expect_equal(refused, 0);
}

TEST(a_full_queue_refuses_and_keeps_what_it_has)
{
    uint16_t value, first = next[LEVEL_DRIVER];
    per_interrupt = 6;
    refused = 0;
    software_interrupts(1u << LEVEL_DRIVER);
    expect_equal(refused, 2);
    expect_equal(queue_held(&of_drivers.queue), 4);
    for (uint16_t i = 0; i < 4; i++) {
        queue_receive(&of_drivers.queue, &value);
        expect_equal(value, first + i);
    }
    expect_equal(queue_try_receive(&of_drivers.queue, &value), ERR_EMPTY);
}

static volatile unsigned received;
static volatile uint16_t last;

THREAD_STOPPED(waits_for_interrupts, SMALL_STACK_BELOW_CALLS, PRIORITY_HIGH)
{
    for (;;) {
        uint16_t value;
        queue_receive(&most_urgent.queue, &value);
        last = value;
        received++;
    }
}

TEST(a_waiting_receiver_gets_what_interrupts_send)
{
    expect_equal(thread_start(&waits_for_interrupts, 0), 0);
    received = 0;
    per_interrupt = 1;
    for (unsigned i = 1; i <= 20; i++) {
        software_interrupts(1u << 0);
        expect_equal(received, i);
        expect_equal(last, (uint16_t)(next[0] - 1));
    }
    per_interrupt = 4;
    software_interrupts(1u << 0);
    expect_equal(received, 24);
    expect_equal(last, (uint16_t)(next[0] - 1));
}

static volatile int tried;

/* Between the interrupt and the event that delivers its message to the waiter. */
EVENT(takes_what_has_come)
{
    uint16_t value;
    software_interrupts(1u << 0);
    tried = queue_try_receive(&most_urgent.queue, &value);
}

TEST(what_interrupts_send_is_for_those_who_wait)
{
    per_interrupt = 1;
    received = 0;
    event_post(&takes_what_has_come);
    expect_equal(tried, ERR_EMPTY);
    expect_equal(received, 1);
    expect_equal(last, (uint16_t)(next[0] - 1));
}

TEST(a_receiver_of_interrupts_waits_until_its_deadline)
{
    uint16_t value;
    uint64_t start = time_now_us();
    int error = queue_receive_until(&of_drivers.queue, &value, start + 2 * TIME_US_PER_MS);
    expect_equal(error, ERR_TIMEOUT);
    expect(time_now_us() - start >= 2 * TIME_US_PER_MS);
    per_interrupt = 1;
    software_interrupts(1u << LEVEL_DRIVER);
    expect_equal(queue_receive_until(&of_drivers.queue, &value, 0), 0);
}
