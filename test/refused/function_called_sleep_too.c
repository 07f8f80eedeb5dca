/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function has a name of the system, and so does what it uses.
 *
 * error: test/refused/function_called_sleep_too.c:14: `sleep_until_us' is a name of the system, and
 *        is defined here again
 * help: give this another name, such as my_sleep_until_us; or declare it static, if only this file
 *        uses it; the system's is at os/kernel/time/sleep.c:29
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>
#include <lichen/time.h>

void sleep_until_us(uint64_t us)
{
    (void)us;
}

THREAD(t, 512, PRIORITY_APP)
{
    led_on(0);
    sleep_ms(3);
}
