/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread has a name of the system.
 *
 * error: test/refused/thread_called_kernel.c:12:8: `kernel' is declared in <lichen/kernel.h>, as
 *        something else
 * help: give this another name
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(kernel, 256, PRIORITY_APP)
{
    led_on(0);
}
