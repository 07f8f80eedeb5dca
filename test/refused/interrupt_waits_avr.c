/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A handler of an interrupt locks a mutex.
 *
 * on: micaz
 * refused: interrupt handler `TIMER3_OVF' must not call `mutex_lock'
 */
#include <lichen/interrupt.h>
#include <lichen/mutex.h>

MUTEX(bus);

INTERRUPT(TIMER3_OVF)
{
    mutex_lock(&bus);
    mutex_unlock(&bus);
}
