/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function that needs an operating system.
 *
 * error: test/refused/name_of_stdio.c:15:5: nothing declares `scanf'
 * help: Lichen has `console_read_line' (<lichen/console.h>) for that
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    int x;
    scanf("%d", &x);
}
