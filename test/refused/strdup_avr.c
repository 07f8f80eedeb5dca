/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function of the C library that allocates.
 *
 * on: micaz
 * error: test/refused/strdup_avr.c:17: `strdup' of the C library needs `__heap_start', and there
 *        is none on a mote
 * help: there is no heap: declare static variables; the console is <lichen/print.h>
 */
#include <string.h>
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    print("%s\n", strdup("text"));
}
