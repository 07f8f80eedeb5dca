/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A call with too few arguments.
 *
 * error: test/refused/language_too_few_arguments.c:16:11: mutex_lock takes
 *        more arguments than are given here
 * help: int mutex_lock(struct mutex *mutex) (<lichen/mutex.h>)
 */
#include <lichen/led.h>
#include <lichen/mutex.h>
#include <lichen/thread.h>

MUTEX(m);

THREAD(t, 512, PRIORITY_APP)
{
    (void)mutex_lock();
    led_on();
}
