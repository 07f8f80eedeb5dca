/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two threads of equal priority yield to each other in a thread's usual loop, with no registers to
 * preserve.
 *
 *   yield_call .. yield_return   from before the call in `one` to after it in `other`
 */
#include <lichen/thread.h>

#include "../mark.h"

THREAD(one, 256, PRIORITY_APP)
{
    for (;;) {
        BENCH_MARK(yield_call);
        thread_yield();
    }
}

THREAD(other, 256, PRIORITY_APP)
{
    for (;;) {
        thread_yield();
        BENCH_MARK(yield_return);
    }
}
