/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two threads of equal priority yield to each other, each in a function that must preserve every
 * register for its caller: the worst case of a yield.
 *
 *   yield_call .. yield_return   from before the function in `one` to after it in `other`
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
        yield_keeping();
    }
}

THREAD(other, 256, PRIORITY_APP)
{
    for (;;) {
        yield_keeping();
        BENCH_MARK(yield_return);
    }
}
