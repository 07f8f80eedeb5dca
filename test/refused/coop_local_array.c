/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A buffer is carried across a sleep.
 *
 * error: test/refused/coop_local_array.c:18:10: `buffer' does not keep its value while the
 *        cooperative thread waits
 * help: declare it before COOP_BEGIN(), once for all threads that run this code: static char
 *        buffer[8];
 */
#include <string.h>

#include <lichen/coop.h>

volatile unsigned seen;

COOP(thread)
{
    COOP_BEGIN();
    char buffer[8];
    for (;;) {
        memset(buffer, (int)seen, sizeof(buffer));
        coop_sleep_ms(1);
        seen = strlen(buffer);
    }
    COOP_END();
}
