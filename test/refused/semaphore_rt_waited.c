/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The semaphore in a semaphore of interrupts is not named.
 *
 * error: test/refused/semaphore_rt_waited.c:16:20: `go' is a SEMAPHORE_RT, in which the semaphore
 *        is a field
 * help: write &go.semaphore
 */
/* clang-format off */
#include <lichen/semaphore.h>
#include <lichen/thread.h>

SEMAPHORE_RT(go, 0);

THREAD(t, 512, PRIORITY_APP)
{
    semaphore_wait(&go);
}
