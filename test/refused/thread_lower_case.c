/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread in small letters.
 *
 * error: test/refused/thread_lower_case.c:11:10: nothing declares `Thread'
 * help: did you mean `THREAD' (<lichen/thread.h>)?
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

Thread(t, 256, PRIORITY_APP)
{
    led_on(0);
}
