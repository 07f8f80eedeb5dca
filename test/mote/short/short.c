/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel's fast paths (doc/design/kernel.md) are taken in the usual case. The general path
 * gives the same results, only later, so cycles are counted: the least of several rounds, in which
 * no interrupt of the console comes. A limit is the cost of the fast path plus 3 cycles: the
 * general path takes more. Where a chip has no fast path, its limit is that of the general one.
 */
#include <lichen/condition.h>
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/semaphore.h>
#include <lichen/syscall.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "short_of_chip.h"
#include "software_interrupt.h"
#include "test.h"

#define ROUNDS  8u
#define LINE_MS 20u /* in which a test's output is sent */

static volatile cycles_t begun;
static volatile uint32_t least;

static inline __attribute__((always_inline)) void begin(void)
{
    begun = cycles_now();
}

static inline __attribute__((always_inline)) void end(void)
{
    cycles_t cycles = cycles_now() - begun;
    if (cycles < least) {
        least = cycles;
    }
}

static void nothing(void)
{
    begin();
    end();
}

static uint32_t least_of(void (*round)(void))
{
    sleep_ms(LINE_MS);
    least = UINT32_MAX;
    for (unsigned i = 0; i < ROUNDS; i++) {
        round();
    }
    return least;
}

/* The cycles of a round from begin to end, without these two calls. */
static uint32_t cycles_of(void (*round)(void))
{
    uint32_t both = least_of(nothing);
    return least_of(round) - both;
}

/* By how many cycles a round exceeds its limit. */
static uint32_t cycles_above(uint32_t limit, void (*round)(void))
{
    uint32_t cycles = cycles_of(round);
    return cycles > limit ? cycles - limit : 0;
}

/* ---------------------------------------------------------------- what no thread waits for */
SEMAPHORE(available, 1);
SEMAPHORE_RT(counted, 0);
MUTEX(mutex);
NOTIFY(flag);
CONDITION(condition);
QUEUE(words, uint32_t, 2);
QUEUE(bytes, uint8_t, 2);
struct longest {
    uint32_t words[4];
};
QUEUE(longest, struct longest, 2);
static uint32_t word;
static uint8_t byte;
static struct longest message;

static void take(void)
{
    begin();
    semaphore_wait(&available);
    end();
    (void)semaphore_post(&available);
}

static void give(void)
{
    semaphore_wait(&available);
    begin();
    (void)semaphore_post(&available);
    end();
}

static void lock(void)
{
    begin();
    (void)mutex_lock(&mutex);
    end();
    mutex_unlock(&mutex);
}

static void unlock(void)
{
    (void)mutex_lock(&mutex);
    begin();
    mutex_unlock(&mutex);
    end();
}

TEST(locking_and_taking_need_no_kernel)
{
    expect_equal(cycles_above(TAKE, take), 0);
    expect_equal(cycles_above(GIVE, give), 0);
    expect_equal(cycles_above(LOCK, lock), 0);
    expect_equal(cycles_above(UNLOCK, unlock), 0);
}

static void set_flag(void)
{
    begin();
    notify_post(&flag);
    end();
    notify_wait(&flag);
}

static void set_flag_again(void)
{
    notify_post(&flag);
    begin();
    notify_post(&flag);
    end();
    notify_wait(&flag);
}

static void find_flag_set(void)
{
    notify_post(&flag);
    begin();
    notify_wait(&flag);
    end();
}

static void signal(void)
{
    begin();
    condition_signal(&condition);
    end();
}

static void broadcast(void)
{
    begin();
    condition_broadcast(&condition);
    end();
}

TEST(nobody_is_told_without_the_kernel)
{
    expect_equal(cycles_above(SET_FLAG, set_flag), 0);
    expect_equal(cycles_above(SET_FLAG_AGAIN, set_flag_again), 0);
    expect_equal(cycles_above(FIND_FLAG_SET, find_flag_set), 0);
    expect_equal(cycles_above(SIGNAL, signal), 0);
    expect_equal(cycles_above(BROADCAST, broadcast), 0);
}

static void send_word(void)
{
    begin();
    queue_send(&words, &word);
    end();
    queue_receive(&words, &word);
}

static void receive_word(void)
{
    queue_send(&words, &word);
    begin();
    queue_receive(&words, &word);
    end();
}

static void send_byte(void)
{
    begin();
    queue_send(&bytes, &byte);
    end();
    queue_receive(&bytes, &byte);
}

static void receive_byte(void)
{
    queue_send(&bytes, &byte);
    begin();
    queue_receive(&bytes, &byte);
    end();
}

static void send_longest(void)
{
    begin();
    queue_send(&longest, &message);
    end();
    queue_receive(&longest, &message);
}

static void receive_longest(void)
{
    queue_send(&longest, &message);
    begin();
    queue_receive(&longest, &message);
    end();
}

TEST(messages_need_no_kernel)
{
    expect_equal(cycles_above(SEND_WORD, send_word), 0);
    expect_equal(cycles_above(RECEIVE_WORD, receive_word), 0);
    expect_equal(cycles_above(SEND_BYTE, send_byte), 0);
    expect_equal(cycles_above(RECEIVE_BYTE, receive_byte), 0);
    expect_equal(cycles_above(SEND_LONGEST, send_longest), 0);
    expect_equal(cycles_above(RECEIVE_LONGEST, receive_longest), 0);
}

/* ---------------------------------------------------------------- a more urgent thread waits */
static void (*volatile urgent_round)(void);
SEMAPHORE(go_urgent, 0);

THREAD(urgent, MEDIUM_STACK, PRIORITY_HIGH)
{
    for (;;) {
        semaphore_wait(&go_urgent);
        urgent_round();
    }
}

/* From the call of the less urgent one until the more urgent one runs, and back again. */
SEMAPHORE(semaphore, 0);
NOTIFY(notification);

static void wait_for_semaphore(void)
{
    semaphore_wait(&semaphore);
    end();
}

static void wake_by_semaphore(void)
{
    urgent_round = wait_for_semaphore;
    (void)semaphore_post(&go_urgent);
    begin();
    (void)semaphore_post(&semaphore);
}

static void begin_to_wait_for_semaphore(void)
{
    begin();
    semaphore_wait(&semaphore);
}

static void go_on_after_semaphore(void)
{
    urgent_round = begin_to_wait_for_semaphore;
    (void)semaphore_post(&go_urgent);
    end();
    (void)semaphore_post(&semaphore);
}

TEST(a_semaphore_wakes_by_a_short_way)
{
    expect_equal(cycles_above(WAKE_BY_SEMAPHORE, wake_by_semaphore), 0);
    expect_equal(cycles_above(GO_ON_AFTER_SEMAPHORE, go_on_after_semaphore), 0);
}

static void wait_for_notification(void)
{
    notify_wait(&notification);
    end();
}

static void wake_by_notification(void)
{
    urgent_round = wait_for_notification;
    (void)semaphore_post(&go_urgent);
    begin();
    notify_post(&notification);
}

static void begin_to_wait_for_notification(void)
{
    begin();
    notify_wait(&notification);
}

static void go_on_after_notification(void)
{
    urgent_round = begin_to_wait_for_notification;
    (void)semaphore_post(&go_urgent);
    end();
    notify_post(&notification);
}

TEST(a_notification_wakes_by_a_short_way)
{
    expect_equal(cycles_above(WAKE_BY_NOTIFICATION, wake_by_notification), 0);
    expect_equal(cycles_above(GO_ON_AFTER_NOTIFICATION, go_on_after_notification), 0);
}

/* ---------------------------------------------------------------- by an interrupt */
static void (*volatile interrupt_act)(void);

static inline __attribute__((always_inline)) void act_in_interrupt(unsigned level)
{
    if (level == LEVEL_DRIVER) {
        begin();
        interrupt_act();
    }
}
SOFTWARE_INTERRUPTS(act_in_interrupt)

static void notify_from_interrupt(void)
{
    notify_post_from(&notification, LEVEL_DRIVER);
}

static void wake_by_interrupt(void)
{
    urgent_round = wait_for_notification;
    interrupt_act = notify_from_interrupt;
    (void)semaphore_post(&go_urgent);
    software_interrupts(1u << LEVEL_DRIVER);
}

/* One of two notifications that are posted in the same function. */
static volatile bool sets_flag;
static void notify_either_from_interrupt(void)
{
    if (sets_flag) {
        notify_post_from(&flag, LEVEL_DRIVER);
    }
    if (!sets_flag) {
        notify_post_from(&notification, LEVEL_DRIVER);
    }
}

static void wake_by_either(void)
{
    urgent_round = wait_for_notification;
    interrupt_act = notify_either_from_interrupt;
    (void)semaphore_post(&go_urgent);
    software_interrupts(1u << LEVEL_DRIVER);
}

static void count_from_interrupt(void)
{
    semaphore_post_from(&counted, LEVEL_DRIVER);
}

static void wait_for_count(void)
{
    semaphore_wait(&counted.semaphore);
    end();
}

static void wake_by_count(void)
{
    urgent_round = wait_for_count;
    interrupt_act = count_from_interrupt;
    (void)semaphore_post(&go_urgent);
    software_interrupts(1u << LEVEL_DRIVER);
}

/* The interrupted thread continues. */
static void wait_twice_for_notification(void)
{
    notify_wait(&notification);
    begin();
    notify_wait(&notification);
}

static void go_on_after_interrupt(void)
{
    urgent_round = wait_twice_for_notification;
    interrupt_act = notify_from_interrupt;
    (void)semaphore_post(&go_urgent);
    software_interrupts(1u << LEVEL_DRIVER);
    end();
    notify_post(&notification);
}

TEST(an_interrupt_wakes_by_a_short_way)
{
    software_interrupts_enable();
    expect_equal(cycles_above(WAKE_BY_INTERRUPT, wake_by_interrupt), 0);
    expect_equal(cycles_above(WAKE_BY_EITHER, wake_by_either), 0);
    expect_equal(cycles_above(WAKE_BY_COUNT, wake_by_count), 0);
    expect_equal(cycles_above(GO_ON_AFTER_INTERRUPT, go_on_after_interrupt), 0);
}

/* ---------------------------------------------------------------- by an event */
EVENT(notifying)
{
    begin();
    notify_post(&notification);
}

static void wake_by_event(void)
{
    urgent_round = wait_for_notification;
    (void)semaphore_post(&go_urgent);
    event_post(&notifying);
}

EVENT(seen)
{
    end();
}

static void post_from_interrupt(void)
{
    event_post_from(&seen, LEVEL_DRIVER);
}

static void run_event(void)
{
    interrupt_act = post_from_interrupt;
    software_interrupts(1u << LEVEL_DRIVER);
}

TEST(an_event_runs_and_wakes_by_a_short_way)
{
    expect_equal(cycles_above(WAKE_BY_EVENT, wake_by_event), 0);
    expect_equal(cycles_above(RUN_EVENT, run_event), 0);
}

/* ---------------------------------------------------------------- the general call */
static void receive_or_wait(void)
{
    begin();
    queue_receive(&words, &word);
}

static void wait_for_message(void)
{
    urgent_round = receive_or_wait;
    (void)semaphore_post(&go_urgent);
    end();
    queue_send(&words, &word);
}

static void receive_until(void)
{
    begin();
    (void)!queue_receive_until(&words, &word, 0xffffffff);
}

static void wait_for_message_until(void)
{
    urgent_round = receive_until;
    (void)semaphore_post(&go_urgent);
    end();
    queue_send(&words, &word);
}

static void receive_and_end(void)
{
    queue_receive(&words, &word);
    end();
}

static void wake_by_message(void)
{
    urgent_round = receive_and_end;
    (void)semaphore_post(&go_urgent);
    begin();
    queue_send(&words, &word);
}

static void no_work(void *unused)
{
    (void)unused;
}

static void call_kernel(void)
{
    begin();
    kernel_do(no_work, 0);
    end();
}

static struct syscall *waiting;

EVENT(answer)
{
    syscall_end(waiting, 0);
}

static int ask(void *call)
{
    event_post(&answer);
    return syscall_wait_in(call, &waiting);
}

static void call_that_posts(void)
{
    begin();
    (void)!syscall_run_on(ask, 0);
    end();
}

TEST(calls_switch_no_more_than_they_must)
{
    expect_equal(cycles_above(WAIT_FOR_MESSAGE, wait_for_message), 0);
    expect_equal(cycles_above(WAIT_FOR_MESSAGE_UNTIL, wait_for_message_until), 0);
    expect_equal(cycles_above(WAKE_BY_MESSAGE, wake_by_message), 0);
    expect_equal(cycles_above(CALL_KERNEL, call_kernel), 0);
    expect_equal(cycles_above(CALL_THAT_POSTS, call_that_posts), 0);
}

/* ---------------------------------------------------------------- equal threads */
SEMAPHORE(go_equal, 0);

THREAD(equal, SMALL_STACK, PRIORITY_APP)
{
    for (;;) {
        semaphore_wait(&go_equal);
    }
}

/* Wakes an equal that waits again before the slice timer is stopped. */
static void wake_equal(void)
{
    begin();
    (void)semaphore_post(&go_equal);
    end();
    thread_yield();
}

TEST(an_equal_is_woken_by_a_short_way)
{
    expect_equal(cycles_above(WAKE_EQUAL, wake_equal), 0);
}
