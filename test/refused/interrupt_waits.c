/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A handler of an interrupt locks a mutex.
 *
 * refused: interrupt handler `TC3' must not call `mutex_lock'
 */
#include <lichen/interrupt.h>
#include <lichen/mutex.h>

MUTEX(bus);

INTERRUPT(TC3)
{
    mutex_lock(&bus);
    mutex_unlock(&bus);
}
