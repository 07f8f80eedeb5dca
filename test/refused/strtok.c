/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One function of the C library that allocates, below one that does not.
 *
 * error: test/refused/strtok.c:18: `strtok' of the C library needs `_sbrk', and there is none on a
 *        mote
 * help: write strtok_r, which keeps its place in a variable of yours
 */
#include <lichen/thread.h>

#include <string.h>

static char line[] = "set,3";
static volatile unsigned words;

THREAD(reader, 512, PRIORITY_APP)
{
    if (strncmp(line, "set", 3) == 0) {
        for (const char *word = strtok(line, ","); word != 0; word = strtok(0, ",")) {
            words++;
        }
    }
}
