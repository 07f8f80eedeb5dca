/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Calls that a program must not make. */
#include <lichen/condition.h>
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/reference.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "software_interrupt.h"
#include "test.h"
#include "ways.h"

/* What an event must not call is called through variables; otherwise `lichen build` refuses the
 * program. */
static void lock_mutex(struct mutex *mutex)
{
    mutex_lock(mutex);
}
static void (*volatile unseen_wait)(struct semaphore *semaphore) = semaphore_wait;
static void (*volatile unseen_yield)(void) = thread_yield;
static void (*volatile unseen_sleep)(uint64_t ms) = sleep_ms;
static void (*volatile unseen_lock)(struct mutex *mutex) = lock_mutex;

EVENT(waits)
{
    unseen_wait(&never);
}

SEMAPHORE(there, 1);
EVENT(waits_for_what_is_there)
{
    unseen_wait(&there);
}

EVENT(sleeps)
{
    unseen_sleep(1);
}

/* Waits at the level of a real-time task. */
INTERRUPT(TCC0)
{
    unseen_yield();
}

MUTEX(lock);
MUTEX(lock_of_tests);
SEMAPHORE(go_unlock, 0);
THREAD(unlocks_for_another, SMALL_STACK, PRIORITY_HIGH)
{
    semaphore_wait(&go_unlock);
    mutex_unlock(&lock_of_tests);
}

EVENT(locks)
{
    unseen_lock(&lock_of_tests);
}

/* A mutex that the checks at build time do not see. */
static uintptr_t undeclared_words[sizeof(struct mutex) / sizeof(uintptr_t)];
static struct mutex *const undeclared = (struct mutex *)undeclared_words;
THREAD_STOPPED(locks_undeclared, SMALL_STACK, PRIORITY_HIGH)
{
    mutex_lock(undeclared);
}

REFERENCE(reference);
CONDITION(condition);

NOTIFY(for_one);
THREAD_STOPPED(waits_for_one, SMALL_STACK, PRIORITY_HIGH)
{
    notify_wait(&for_one);
}

THREAD_STOPPED(waits_with_lock_of_tests, SMALL_STACK, PRIORITY_HIGH)
{
    (void)condition_wait(&condition, &lock_of_tests);
}

static QUEUE_RT(of_level_1, unsigned, 2, 1);
INTERRUPT(TCC2)
{
    unsigned value = 0;
    (void)!queue_send_from(&of_level_1, &value, LEVEL_DRIVER);
}

void wait_in_event(void)
{
    event_post(&waits);
}

void wait_for_what_is_there_in_event(void)
{
    event_post(&waits_for_what_is_there);
}

void sleep_in_event(void)
{
    event_post(&sleeps);
}

static void request(unsigned level)
{
    software_interrupts_enable();
    software_interrupts(1u << level);
}

void yield_in_handler(void)
{
    request(0);
}

/* At a level for which there is no handler. */
void interrupt_without_handler(void)
{
    request(1);
}

void send_at_another_level(void)
{
    request(LEVEL_DRIVER);
}

void lock_twice(void)
{
    mutex_lock(&lock);
    mutex_lock(&lock);
}

void unlock_for_another(void)
{
    mutex_lock(&lock_of_tests);
    semaphore_post(&go_unlock);
}

/* No thread has locked it. */
void unlock_what_is_free(void)
{
    mutex_unlock(&lock);
}

/* While a thread owns it. */
void lock_in_event(void)
{
    mutex_lock(&lock_of_tests);
    event_post(&locks);
}

/* Contended. */
void lock_undeclared(void)
{
    mutex_lock(undeclared);
    expect(thread_start(&locks_undeclared, 0) == 0);
}

void join_oneself(void)
{
    thread_join(&tests);
}

/* While it is alive. */
void make_twice(void)
{
    for (unsigned i = 0; i < 2; i++) {
        expect(thread_create(&twice, 0) == 0);
    }
}

void become_idle(void)
{
    thread_set_priority(&tests, PRIORITY_IDLE);
}

void exceed_priorities(void)
{
    thread_set_priority(&tests, PRIORITY_MAX + 1);
}

void give_back_too_often(void)
{
    reference_give(&reference);
}

/* Without owning it. */
void wait_without_mutex(void)
{
    expect(condition_wait(&condition, &lock) == 0);
}

void wait_with_mutex_of_another(void)
{
    mutex_lock(&lock_of_tests);
    expect(thread_start(&waits_with_lock_of_tests, 0) == 0);
}

void notify_one(void)
{
    notify_post(&for_one);
}

/* For a notification that another thread waits for. */
void wait_as_second(void)
{
    expect(thread_start(&waits_for_one, 0) == 0);
    notify_wait(&for_one);
}

void wait_as_second_until(void)
{
    expect(thread_start(&waits_for_one, 0) == 0);
    expect_equal(notify_wait_until(&for_one, 0), ERR_TIMEOUT);
}
