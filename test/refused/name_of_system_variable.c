/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A variable that a linker script has, in a program that is linked without an error.
 *
 * on: micaz
 * error: test/refused/name_of_system_variable.c:12: `postables_end' is a name of the system, and is
 *        defined here again
 * help: give this another name, such as my_postables_end; or declare it static, if only this file
 *        uses it; the system's is at os/kernel/data.ld:5
 */
#include <lichen/led.h>
#include <lichen/thread.h>
int postables_end = 1;

THREAD(blink, 256, PRIORITY_APP)
{
    led_on(0);
}
