/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A block of a heap that is not there.
 *
 * error: test/refused/malloc.c:16:9: Lichen has no heap for malloc
 * help: declare static variables
 */
#include <stdlib.h>
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>
static char *p;

THREAD(t, 512, PRIORITY_APP)
{
    p = malloc(10);
    print("%u\n", (unsigned)p[0]);
}
