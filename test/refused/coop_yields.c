/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A cooperative thread yields as threads do.
 *
 * refused: cooperative thread `turns' must not call `thread_yield'
 */
#include <lichen/coop.h>
#include <lichen/thread.h>

COOP(turns)
{
    COOP_BEGIN();
    for (;;) {
        thread_yield();
        coop_sleep_ms(10);
    }
    COOP_END();
}
