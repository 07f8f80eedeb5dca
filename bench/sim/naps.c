/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Simulator benchmark: naps in standby, from which the clock that never stops wakes.
 *
 * A mote spends its life so: some hundred instructions, then sleep. What counts is how long the
 * host takes for falling asleep and waking, with the clocks that stop and start. */

#include <lichen/coop.h>

COOP(naps)
{
    COOP_BEGIN();
    for (;;) {
        coop_sleep_ms(3);
    }
    COOP_END();
}
