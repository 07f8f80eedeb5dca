/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The handler of a woven pair waits.
 *
 * refused: woven pair `both' must not call `semaphore_wait'
 */
#include <lichen/event.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/woven.h>

SEMAPHORE(free_slots, 1);

EVENT(first)
{
}

EVENT(second)
{
}

WOVEN(both, first, second)
{
    semaphore_wait(&free_slots);
}

THREAD(posts, 256, PRIORITY_APP)
{
    event_post(&first);
    event_post(&second);
}
