/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupts are masked as in CMSIS.
 *
 * error: test/refused/cmsis_disable_irq.c:13:5: nothing declares `__disable_irq'
 * help: programs mask no interrupts: threads share variables by a mutex (<lichen/mutex.h>),
 *        interrupts hand over by events and queues (<lichen/event.h>, <lichen/queue.h>)
 */
/* clang-format off */
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    __disable_irq();
}
