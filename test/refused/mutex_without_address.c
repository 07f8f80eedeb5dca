/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A mutex in place of its address.
 *
 * error: test/refused/mutex_without_address.c:17:22: argument 1 of mutex_lock is a struct
 *        mutex, not its address
 * help: write & before its name
 */
#include <lichen/mutex.h>
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

MUTEX(bus);
THREAD(t, 512, PRIORITY_APP)
{
    (void)mutex_lock(bus);
}
