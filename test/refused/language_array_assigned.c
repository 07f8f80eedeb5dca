/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A text is assigned to an array.
 *
 * error: test/refused/language_array_assigned.c:16:10: an array cannot be assigned
 * help: copy into it: strcpy or memcpy (<string.h>); or declare a pointer instead: const
 *        char *name
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static char name[10];
THREAD(t, 512, PRIORITY_APP)
{
    name = "hello";
}
