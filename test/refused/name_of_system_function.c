/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function with the name of one that the kernel calls: it would run in its place.
 *
 * error: test/refused/name_of_system_function.c:18: `power_choose' is a name of the system, and is
 *        defined here again
 * help: give this another name, such as my_power_choose; or declare it static, if only this file
 *        uses it; the system's is at os/kernel/power/power.c:15
 */
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(blink, 256, PRIORITY_APP)
{
    led_on(0);
}

void power_choose(void);
void power_choose(void)
{
}
