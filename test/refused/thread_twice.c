/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two threads of one name.
 *
 * error: test/refused/thread_twice.c:17:8: `t' is declared twice
 * help: give one of them another name; the other is at test/refused/thread_twice.c:12:8
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    led_on(0);
}

THREAD(t, 512, PRIORITY_APP)
{
    led_on(0);
}
