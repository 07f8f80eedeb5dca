/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two threads of equal priority yield to each other.
 *
 *   yield_call .. yield_return   from before the call in `one` to after it in `other`, which have
 * no registers to keep: the loop of a thread as it is usually written yield_keeping_call ..
 * yield_keeping_return   the same by way of a function that must keep every register for its
 * caller: the most that a yield can cost
 */
#include <lichen/thread.h>

#include "../mark.h"

static __attribute__((noinline)) void yield_keeping(void)
{
    thread_yield();
}

THREAD(one, 256, PRIORITY_APP)
{
    for (;;) {
        BENCH_MARK(yield_call);
        thread_yield();
        BENCH_MARK(yield_keeping_call);
        yield_keeping();
    }
}

THREAD(other, 256, PRIORITY_APP)
{
    for (;;) {
        thread_yield();
        BENCH_MARK(yield_return);
        yield_keeping();
        BENCH_MARK(yield_keeping_return);
    }
}
