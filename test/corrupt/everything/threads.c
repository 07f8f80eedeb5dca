/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads and what they wait for. */
#include "parts.h"

#include <lichen/assert.h>
#include <lichen/barrier.h>
#include <lichen/condition.h>
#include <lichen/mutex.h>
#include <lichen/queue.h>
#include <lichen/reference.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "tasks.h"

#define WAIT_US 5000u

STACKS_CHECKED_BY_RUNS;

/* ---------------------------------------------------------------- letters */
QUEUE(letters, uint32_t, 2);

THREAD(producer, PART_STACK, PRIORITY_APP)
{
    for (;;) {
        for (unsigned i = 0; i < 3; i++) {
            queue_send(&letters, &own.sent);
            own.sent++;
        }
        works(PRODUCER);
        sleep_us(WAIT_US);
    }
}

THREAD(consumer, PART_STACK, PRIORITY_LOW)
{
    for (;;) {
        uint32_t letter;
        queue_receive(&letters, &letter);
        assert(letter == own.received);
        own.received++;
        works(CONSUMER);
    }
}

/* ---------------------------------------------------------------- a mutex that is contended */
MUTEX(shared);

static void enter_shared(void)
{
    int error = mutex_lock(&shared);
    assert(error == 0);
    assert(own.owners == 0);
    own.owners++;
}

static void leave_shared(void)
{
    own.owners--;
    mutex_unlock(&shared);
}

THREAD(urgent_owner, PART_STACK, PRIORITY_HIGH)
{
    for (;;) {
        enter_shared();
        leave_shared();
        works(URGENT_OWNER);
        sleep_us(WAIT_US);
    }
}

THREAD(late_owner, PART_STACK, PRIORITY_LOW)
{
    for (;;) {
        enter_shared();
        sleep_us(WAIT_US);
        leave_shared();
        works(LATE_OWNER);
    }
}

/* ---------------------------------------------------------------- a barrier and a condition */
BARRIER(meeting, 2);
MUTEX(of_condition);
CONDITION(signal);

THREAD(meets, PART_STACK, PRIORITY_APP)
{
    for (;;) {
        barrier_wait(&meeting);
        int error = mutex_lock(&of_condition);
        assert(error == 0);
        while (!own.signalled) {
            error = condition_wait(&signal, &of_condition);
            assert(error == 0);
        }
        own.signalled = false;
        mutex_unlock(&of_condition);
        works(MEETING);
    }
}

THREAD(waiter, MORE_STACK, PRIORITY_APP)
{
    for (;;) {
        sleep_us(WAIT_US);
        barrier_wait(&meeting);
        int error = mutex_lock(&of_condition);
        assert(error == 0);
        own.signalled = true;
        condition_signal(&signal);
        mutex_unlock(&of_condition);
        works(WAITER);
    }
}

/* ---------------------------------------------------------------- a thread that is made and ends
 */
REFERENCE(in_use);
SEMAPHORE(paused, 0);

static void made(void *argument)
{
    (void)argument;
    own.made++;
    works(MADE);
    reference_give(&in_use);
    semaphore_wait(&paused);
}
static THREAD_STACK(made_stack, PART_STACK);
static struct thread_created making = {
    .info = {.entry = made,
             .stack = made_stack,
             .stack_bytes = sizeof(made_stack),
             .name = "made",
             .priority = PRIORITY_APP},
};

THREAD(maker, MORE_STACK, PRIORITY_HIGH)
{
    for (;;) {
        int error = reference_take(&in_use);
        assert(error == 0);
        error = thread_create(&making, 0);
        assert(error == 0);
        reference_wait(&in_use);
        thread_pause(&making.thread);
        thread_set_priority(&making.thread, PRIORITY_HIGH);
        thread_resume(&making.thread);
        thread_destroy(&making.thread);
        thread_join(&making.thread);
        works(MAKER);
        sleep_us(WAIT_US);
    }
}

/* ---------------------------------------------------------------- timeouts, and equals */
SEMAPHORE(never, 0);

THREAD(sleeper, MORE_STACK, PRIORITY_APP)
{
    for (;;) {
        uint64_t until = time_now_us() + WAIT_US;
        int error = semaphore_wait_until(&never, until);
        assert(error == ERR_TIMEOUT);
        assert(time_now_us() >= until);
        works(SLEEPER);
        sleep_us(WAIT_US);
    }
}

THREAD(turn_a, PART_STACK, PRIORITY_LOW + 1)
{
    for (;;) {
        thread_yield();
        works(TURN_A);
        sleep_us(WAIT_US);
    }
}

THREAD(turn_b, PART_STACK, PRIORITY_LOW + 1)
{
    for (;;) {
        thread_yield();
        works(TURN_B);
        sleep_us(WAIT_US);
    }
}
