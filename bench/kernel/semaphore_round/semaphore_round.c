/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two threads hand two semaphores to and fro. PARTNER is the priority of the second one.
 *
 *   round_begin .. round_end   from the first one's post to the return of its wait
 */
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "../mark.h"

SEMAPHORE(there, 0);
SEMAPHORE(back, 0);

THREAD(first, 256, PRIORITY_APP)
{
    for (;;) {
        BENCH_MARK(round_begin);
        (void)semaphore_post(&there);
        semaphore_wait(&back);
        BENCH_MARK(round_end);
    }
}

THREAD(second, 256, PARTNER)
{
    for (;;) {
        semaphore_wait(&there);
        (void)semaphore_post(&back);
    }
}
