/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An uncontended mutex, and one that a more urgent thread waits for.
 *
 *   lock_call .. lock_return           in a thread's usual loop
 *   alone_call .. alone_return         in a function that has to load the mutex's address
 *   unlock_call .. unlock_return       in the loop
 *   handover_call .. handover_return   from unlocking to the more urgent thread that waited
 */
#include <lichen/mutex.h>
#include <lichen/thread.h>

#include "../../kernel/mark.h"

MUTEX(lock);
MUTEX(contended);
volatile uint32_t shared;

static __attribute__((noinline)) void lock_alone(void)
{
    BENCH_MARK(alone_call);
    mutex_lock(&lock);
    BENCH_MARK(alone_return);
    shared++; /* else the linker makes a jump of the call, which does not come back here */
}

THREAD_STOPPED(waits, 256, PRIORITY_HIGH)
{
    mutex_lock(&contended);
    BENCH_MARK(handover_return);
    mutex_unlock(&contended);
}

THREAD(locks, 256, PRIORITY_APP)
{
    for (;;) {
        BENCH_MARK(lock_call);
        mutex_lock(&lock);
        BENCH_MARK(lock_return);
        shared++;
        BENCH_MARK(unlock_call);
        mutex_unlock(&lock);
        BENCH_MARK(unlock_return);
        lock_alone();
        mutex_unlock(&lock);
        mutex_lock(&contended);
        thread_start(&waits, 0);
        BENCH_MARK(handover_call);
        mutex_unlock(&contended);
    }
}
