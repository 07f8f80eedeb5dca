/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a call returns is cast away.
 *
 * error: test/refused/result_void.c:18:11: queue_try_send returns whether it worked, and nothing
 *        looks at that
 * help: write if (queue_try_send(...) != 0) { ... }; (void) before it is not enough,
 *        (void)!queue_try_send(...) is
 */
/* clang-format off */
#include <lichen/queue.h>
#include <lichen/thread.h>

QUEUE(q, int, 4);

THREAD(t, 512, PRIORITY_APP)
{
    int m = 1;
    (void)queue_try_send(&q, &m);
}
