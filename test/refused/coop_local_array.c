/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A buffer is carried across a sleep.
 *
 * refused: 'buffer' may be used uninitialized
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
