/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function that a cooperative thread calls yields.
 *
 * refused: 'return' with a value, in function returning void
 */
#include <lichen/coop.h>

static void helps(void)
{
    coop_yield();
}

COOP(thread)
{
    COOP_BEGIN();
    for (;;) {
        helps();
    }
    COOP_END();
}
