/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sleep of the C library.
 *
 * error: test/refused/sleep_of_unistd.c:15: nothing defines `sleep'
 * help: Lichen has `sleep_ms' (<lichen/time.h>) for that
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>
#include <unistd.h>

THREAD(t, 512, PRIORITY_APP)
{
    led_toggle(0);
    sleep(1);
}
