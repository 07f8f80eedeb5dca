/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program ends itself.
 *
 * error: test/refused/exit.c:16:5: a program does not exit
 * help: a thread ends by returning, and reset_mote starts again (<lichen/reset.h>)
 */
#include <stdlib.h>
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    led_on(0);
    exit(0);
}
