/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waits that end by a deadline and by an interrupt at nearly the same moment: an interrupt is swept
 * over the time around the deadline. Whichever comes first, the wait ends once, and what the
 * interrupt posted is either taken or still there.
 */
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "compute.h"
#include "counter.h"
#include "test.h"
#include "timed_interrupt.h"

SEMAPHORE_RT(counted, 0);
NOTIFY(notified);
QUEUE_RT(messages, uint16_t, 2, LEVEL_DRIVER);

/* Keeps the processor from the sleep mode that stops the interrupt's counter. */
static volatile uint32_t rounds;
THREAD(computes, SMALL_STACK, PRIORITY_LOW)
{
    for (;;) {
        rounds++;
    }
}

static void post_semaphore(void)
{
    semaphore_post_from(&counted, LEVEL_DRIVER);
}
static void notify(void)
{
    notify_post_from(&notified, LEVEL_DRIVER);
}
static volatile uint16_t sent;
static volatile int send_error;
static void send_message(void)
{
    uint16_t value = ++sent;
    send_error = queue_send_from(&messages, &value, LEVEL_DRIVER);
}

static void (*volatile act)(void);
static volatile bool acted;
TIMED_INTERRUPT()
{
    act();
    acted = true;
}

/* Waits until a deadline, then checks for what came. Both return 0 or an error. */
struct racer {
    void (*act)(void);
    int (*wait)(uint64_t deadline);
    int (*look)(void);
};

static int wait_semaphore(uint64_t deadline)
{
    return semaphore_wait_until(&counted.semaphore, deadline);
}
static int look_semaphore(void)
{
    return semaphore_try(&counted.semaphore);
}
static int wait_notification(uint64_t deadline)
{
    return notify_wait_until(&notified, deadline);
}
static int look_notification(void)
{
    return notify_wait_until(&notified, 0);
}
static int wait_message(uint64_t deadline)
{
    uint16_t value = 0;
    int error = queue_receive_until(&messages.queue, &value, deadline);
    expect(error != 0 || value == sent);
    return error;
}
static int look_message(void)
{
    uint16_t value = 0;
    int error = queue_try_receive(&messages.queue, &value);
    expect(error != 0 || value == sent);
    return error;
}

/* Where the ATmega128's counter wraps, readings take longer, and a deadline is up to a tick less
 * late: whether it does while a race that begins now goes on. */
static bool wraps_soon(void)
{
    return COUNTER_BITS == 8 && (uint8_t)(counter_read() + 6) < 9;
}

/* Later than the alarm of the last race, whose deadline was not needed. */
static void begin_with_a_tick(void)
{
    for (unsigned ticks = 0; ticks < 4 || wraps_soon(); ticks++) {
        counter_await();
    }
}

/* One race. Returns true if the interrupt came first. */
static bool race(const struct racer *racer, uint16_t cycles)
{
    act = racer->act;
    acted = false;
    begin_with_a_tick();
    uint64_t deadline = time_now_us() + 2500; /* far enough for an exact alarm */
    timed_interrupt_in(cycles);
    int error = racer->wait(deadline);
    while (!acted) {
    }
    expect(error == 0 || error == ERR_TIMEOUT);
    bool left = racer->look() == 0;
    expect_equal(left, error == ERR_TIMEOUT);
    expect(racer->look() != 0);
    return error == 0;
}

/* The interrupt comes from about 2.2 ms to 3.1 ms after the start, or a tick after that, the
 * deadline in between; steps are short where both meet. */
static void sweep(const struct racer *racer)
{
    unsigned first = 0, count = 0;
    uint16_t early = 22 * MS_CYCLES / 10, late = 31 * MS_CYCLES / 10 + TICK_CYCLES;
    timed_interrupt_enable();
    while (late - early > 700) { /* finds the moment */
        uint16_t middle = (uint16_t)(early + (late - early) / 2);
        if (race(racer, middle)) {
            early = middle;
        } else {
            late = middle;
        }
    }
    expect(race(racer, (uint16_t)(early - 1000)));
    expect(!race(racer, (uint16_t)(late + 1000)));
    for (uint16_t cycles = (uint16_t)(early - 200); cycles < late + 200; cycles += 3, count++) {
        first += race(racer, cycles);
    }
    expect(first > count / 10);
    expect(first < count - count / 10);
}

TEST(a_post_and_the_deadline_end_a_wait_once)
{
    sweep(&(const struct racer){post_semaphore, wait_semaphore, look_semaphore});
}

TEST(a_notification_and_the_deadline_end_a_wait_once)
{
    sweep(&(const struct racer){notify, wait_notification, look_notification});
}

TEST(a_message_and_the_deadline_end_a_wait_once)
{
    sweep(&(const struct racer){send_message, wait_message, look_message});
    expect_equal(send_error, 0);
}

/* Another thread sends and receives while this one reads the number of messages held: that is
 * always one or two. */
QUEUE(letters, uint16_t, 3);
NOTIFY(go_send);
THREAD(sends, SMALL_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&go_send);
        for (uint16_t letter = 0; letter < 5; letter++) {
            uint16_t oldest;
            queue_send(&letters, &letter);
            queue_receive(&letters, &oldest);
        }
    }
}

static void send_and_receive(void)
{
    notify_post_from(&go_send, LEVEL_DRIVER);
}

TEST(what_a_queue_holds_is_of_one_moment)
{
    uint16_t letter = 0;
    timed_interrupt_enable();
    queue_send(&letters, &letter);
    act = send_and_receive;
    for (uint16_t cycles = 1; cycles < 150; cycles++) {
        acted = false;
        timed_interrupt_in(cycles);
        unsigned held = queue_held(&letters);
        while (!acted) {
        }
        expect_equal(held, 1);
    }
}
