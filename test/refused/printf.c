/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The C library's printf, which has no console.
 *
 * error: test/refused/printf.c:15:5: Lichen has no printf
 * help: write print (<lichen/print.h>)
 */
#include <stdio.h>
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    printf("hello %d\n", 3);
}
