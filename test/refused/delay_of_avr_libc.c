/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Delays of avr-libc.
 *
 * on: micaz
 * error: test/refused/delay_of_avr_libc.c:12: <util/delay.h> is of avr-libc: it counts loops, while
 *        nothing else runs
 * help: take it away, and write sleep_ms or sleep_us (<lichen/time.h>)
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>
#include <util/delay.h>

THREAD(t, 512, PRIORITY_APP)
{
    led_on(0);
    _delay_ms(10);
}
