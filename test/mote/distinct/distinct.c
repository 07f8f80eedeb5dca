/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program without slices (os/kernel/thread/distinct.c): each thread has a priority of its own,
 * and inherits others by mutexes. A ready thread that met an equal would panic in slice_insert.
 *
 * Four threads do at random what changes inheritance: they lock one mutex or two, with and without
 * a deadline, hold them while they compute or sleep, and are destroyed, paused and started again.
 */
#include <lichen/mutex.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

#define WORKERS 4u
#define MUTEXES 3u

MUTEX(first);
MUTEX(second);
MUTEX(third);
static struct mutex *const mutexes[MUTEXES] = {&first, &second, &third};

static volatile unsigned locked, timed_out, abandoned, inherited;

/* xorshift, by turns of all threads: their order decides who gets which number. */
static uint32_t random(uint32_t below)
{
    static uint32_t state = 1;
    uint32_t next = state;
    next ^= next << 13;
    next ^= next >> 17;
    next ^= next << 5;
    state = next;
    return (next >> 8) % below;
}

static void hold(void)
{
    if (random(2) == 0) {
        sleep_us(random(3000));
    } else {
        uint64_t begun = time_now_us();
        uint32_t us = random(1500);
        while (time_now_us() - begun < us) {
        }
    }
}

/* Mutexes are locked in any order, so that only a deadline ends some waits. */
static bool lock(struct mutex *mutex)
{
    int error = mutex_lock_until(mutex, time_now_us() + random(4000));
    if (error == ERR_TIMEOUT) {
        timed_out++;
        return false;
    }
    if (error == ERR_ABANDONED) {
        abandoned++;
    } else {
        locked++;
    }
    return true;
}

static void work(void)
{
    for (;;) {
        sleep_us(random(4000));
        struct mutex *one = mutexes[random(MUTEXES)];
        struct mutex *other = mutexes[random(MUTEXES)];
        if (!lock(one)) {
            continue;
        }
        hold();
        if (other != one && lock(other)) {
            hold();
            mutex_unlock(other);
        }
        inherited += thread_self()->priority != thread_self()->base;
        mutex_unlock(one);
    }
}

THREAD_STOPPED(calm, MEDIUM_STACK, PRIORITY_APP - 3)
{
    work();
}
THREAD_STOPPED(steady, MEDIUM_STACK, PRIORITY_APP - 2)
{
    work();
}
THREAD_STOPPED(brisk, MEDIUM_STACK, PRIORITY_APP - 1)
{
    work();
}
THREAD_STOPPED(eager, MEDIUM_STACK, PRIORITY_APP + 1)
{
    work();
}
static struct thread *const workers[WORKERS] = {&calm, &steady, &brisk, &eager};

void kernel_slice(void) __attribute__((weak));

TEST(the_program_has_no_slices)
{
    expect(kernel_slice == 0);
}

TEST(who_inherits_meets_no_equal)
{
    for (unsigned worker = 0; worker < WORKERS; worker++) {
        expect_equal(thread_start(workers[worker], 0), 0);
    }
    for (unsigned round = 0; round < 1000; round++) {
        struct thread *worker = workers[random(WORKERS)];
        sleep_us(random(8000));
        thread_pause(worker);
        sleep_us(random(2000));
        thread_resume(worker);
        worker = workers[random(WORKERS)];
        thread_destroy(worker);
        expect_equal(thread_start(worker, 0), 0);
    }
    expect(locked > 500);
    expect(timed_out > 50);
    expect(abandoned > 50);
    expect(inherited > 50);
}
