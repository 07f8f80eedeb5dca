/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A semaphore that nobody waits for, in a thread.
 *
 *   wait_call .. wait_return     the count is not 0
 *   post_call .. post_return
 */
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "../mark.h"

SEMAPHORE(tokens, 1);

THREAD(one, 256, PRIORITY_APP)
{
    for (;;) {
        BENCH_MARK(wait_call);
        semaphore_wait(&tokens);
        BENCH_MARK(wait_return);
        BENCH_MARK(post_call);
        (void)semaphore_post(&tokens);
        BENCH_MARK(post_return);
    }
}
