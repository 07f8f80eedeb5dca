/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread without a stack, which the kernel does not know, beside one that is made at run time.
 *
 * refused: thread_by_hand.c:11: `workers' contains a thread that THREAD did not declare
 */
#include <lichen/thread.h>

static struct thread_created late;

extern struct thread workers[2];
struct thread workers[2];

THREAD(begins, 256, PRIORITY_APP)
{
    (void)!thread_create(&late, 0);
    (void)thread_start(&workers[0], 0);
}
