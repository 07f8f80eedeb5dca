/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When the clock is fast: while a thread can run and somebody requests it, and while all wait if a
 * driver requests that. `seen_hz` is what an event finds in the middle of a wait.
 */
#include <lichen/clock.h>
#include <lichen/coop.h>
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "chip/chip.h"
#include "software_interrupt.h"
#include "test.h"

enum {
    SLOW_HZ = 8000000,
    FAST_HZ = 48000000,
    WAIT_MS = 10,
    LOOK_US = 3000,
    QUIET_MS = 30,
};

CLOCK_REQUEST(one);
CLOCK_REQUEST(other);

static volatile uint32_t seen_hz;

EVENT(look)
{
    seen_hz = chip_clock_hz();
}
static TIMER(look_timer, look);

static void wait_and_look(void)
{
    seen_hz = 0;
    expect_equal(timer_arm_after(&look_timer, LOOK_US), 0);
    sleep_ms(WAIT_MS);
}

TEST(without_a_request_the_clock_is_slow)
{
    sleep_ms(QUIET_MS);
    expect_equal(chip_clock_hz(), SLOW_HZ);
}

TEST(a_request_makes_it_fast_at_once)
{
    clock_request(&one, CLOCK_FAST);
    expect_equal(chip_clock_hz(), FAST_HZ);
}

TEST(waiting_is_slow_and_whoever_continues_is_fast)
{
    wait_and_look();
    expect_equal(seen_hz, SLOW_HZ);
    expect_equal(chip_clock_hz(), FAST_HZ);
    wait_and_look();
    expect_equal(seen_hz, SLOW_HZ);
    expect_equal(chip_clock_hz(), FAST_HZ);
}

TEST(it_stays_fast_while_anybody_requests_it)
{
    clock_request(&other, CLOCK_FAST);
    clock_release(&one);
    sleep_ms(WAIT_MS);
    expect_equal(chip_clock_hz(), FAST_HZ);
    clock_release(&other);
}

TEST(it_is_slow_after_the_first_wait_without_a_request)
{
    expect_equal(chip_clock_hz(), FAST_HZ);
    sleep_ms(WAIT_MS);
    expect_equal(chip_clock_hz(), SLOW_HZ);
}

TEST(a_driver_keeps_it_fast_while_all_wait)
{
    clock_request(&one, CLOCK_FAST_IDLE);
    clock_request(&other, CLOCK_FAST);
    wait_and_look();
    expect_equal(seen_hz, FAST_HZ);
    clock_request(&one, CLOCK_FAST);
    wait_and_look();
    expect_equal(seen_hz, SLOW_HZ);
    clock_release(&other);
    clock_release(&one);
    sleep_ms(WAIT_MS);
}

/* ---------------------------------------------------------------- requests that change in a wait
 */
static void (*volatile in_wait)(void);

EVENT(change)
{
    in_wait();
}
static TIMER(change_timer, change);

static void wait_while(void (*changes)(void))
{
    in_wait = changes;
    expect_equal(timer_arm_after(&change_timer, LOOK_US / 2), 0);
    wait_and_look();
}

static void release_one(void)
{
    clock_release(&one);
}

static void request_one(void)
{
    clock_request(&one, CLOCK_FAST);
    expect_equal(chip_clock_hz(), FAST_HZ);
}

static void request_one_idle(void)
{
    clock_request(&one, CLOCK_FAST_IDLE);
    expect_equal(chip_clock_hz(), FAST_HZ);
}

TEST(nobody_is_fast_after_a_request_that_ended_in_the_wait)
{
    clock_request(&one, CLOCK_FAST);
    wait_while(release_one);
    expect_equal(chip_clock_hz(), SLOW_HZ);
}

TEST(an_event_computes_fast_and_then_waiting_is_slow)
{
    wait_while(request_one);
    expect_equal(seen_hz, SLOW_HZ);
    expect_equal(chip_clock_hz(), FAST_HZ);
    clock_release(&one);
    sleep_ms(WAIT_MS);
}

TEST(a_drivers_request_in_a_wait_lasts)
{
    wait_while(request_one_idle);
    expect_equal(seen_hz, FAST_HZ);
    wait_while(release_one);
    expect_equal(seen_hz, SLOW_HZ);
    expect_equal(chip_clock_hz(), SLOW_HZ);
}

SEMAPHORE_RT(semaphore_rt, 0);

static volatile bool interrupt_releases = true;

SOFTWARE_DRIVER_INTERRUPT()
{
    if (interrupt_releases) {
        clock_release(&one);
    }
    semaphore_post_from(&semaphore_rt, LEVEL_DRIVER);
}

static void release_in_an_interrupt(void)
{
    software_driver_interrupt();
}

TEST(an_interrupt_may_release)
{
    software_driver_interrupt_enable();
    clock_request(&one, CLOCK_FAST_IDLE);
    wait_while(release_in_an_interrupt);
    expect_equal(seen_hz, SLOW_HZ);
    expect_equal(chip_clock_hz(), SLOW_HZ);
}

/* ---------------------------------------------------------------- each way to continue */
static SEMAPHORE(semaphore, 0);
static QUEUE(queue, uint8_t, 2);
NOTIFY(notification);

static void wake_by_semaphore(void)
{
    (void)semaphore_post(&semaphore);
}

static void wake_by_notification(void)
{
    notify_post(&notification);
}

static void wake_by_queue(void)
{
    static const uint8_t item = 1;
    expect_equal(queue_try_send(&queue, &item), 0);
}

static void wake_by_interrupt(void)
{
    interrupt_releases = false;
    software_driver_interrupt();
}

static void wait_for_semaphore(void)
{
    semaphore_wait(&semaphore);
}

static void wait_for_notification(void)
{
    notify_wait(&notification);
}

static void wait_for_queue(void)
{
    uint8_t item;
    queue_receive(&queue, &item);
}

static void wait_for_semaphore_of_interrupts(void)
{
    semaphore_wait(&semaphore_rt.semaphore);
}

static void expect_fast_after(void (*wait)(void), void (*wake)(void))
{
    clock_request(&one, CLOCK_FAST);
    in_wait = wake;
    seen_hz = 0;
    expect_equal(timer_arm_after(&look_timer, LOOK_US / 2), 0);
    expect_equal(timer_arm_after(&change_timer, LOOK_US), 0);
    wait();
    expect_equal(chip_clock_hz(), FAST_HZ);
    expect_equal(seen_hz, SLOW_HZ);
    clock_release(&one);
    sleep_ms(WAIT_MS);
    expect_equal(chip_clock_hz(), SLOW_HZ);
}

TEST(who_waits_for_a_semaphore_a_notification_or_a_queue_continues_fast)
{
    expect_fast_after(wait_for_semaphore, wake_by_semaphore);
    expect_fast_after(wait_for_notification, wake_by_notification);
    expect_fast_after(wait_for_queue, wake_by_queue);
    while (semaphore_try(&semaphore_rt.semaphore) == 0) {
    }
    expect_fast_after(wait_for_semaphore_of_interrupts, wake_by_interrupt);
}

/* ---------------------------------------------------------------- cooperative threads */
static volatile bool coop_begins;
static volatile uint32_t coop_hz[3];

static void compute_us(uint32_t us)
{
    uint64_t end = time_now_us() + us;
    while (time_now_us() < end) {
    }
}

COOP(cooperative)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        clock_request(&other, CLOCK_FAST);
        coop_hz[0] = chip_clock_hz();
        compute_us(2 * LOOK_US);
        coop_hz[1] = chip_clock_hz();
        clock_release(&other);
        coop_hz[2] = chip_clock_hz();
    }
    COOP_END();
}

TEST(a_cooperative_thread_is_fast_until_it_waits)
{
    coop_signal(&cooperative);
    expect_equal(timer_arm_after(&look_timer, LOOK_US), 0);
    sleep_ms(WAIT_MS);
    expect_equal(coop_hz[0], FAST_HZ);
    expect_equal(seen_hz, FAST_HZ);
    expect_equal(coop_hz[1], FAST_HZ);
    expect_equal(coop_hz[2], FAST_HZ); /* it is ready */
    wait_and_look();
    expect_equal(seen_hz, SLOW_HZ);
    expect_equal(chip_clock_hz(), SLOW_HZ);
}
