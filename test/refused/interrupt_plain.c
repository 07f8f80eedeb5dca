/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A handler of an interrupt as other systems write it.
 *
 * error: test/refused/interrupt_plain.c:14:6: no header declares `TC3_Handler', and it is
 *        not static
 * help: write static before it, if only this file uses it; a handler of an interrupt is
 *        INTERRUPT(VECTOR) (<lichen/interrupt.h>)
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

void TC3_Handler(void)
{
    led_toggle(0);
}
THREAD(t, 512, PRIORITY_APP)
{
    sleep_ms(1);
}
