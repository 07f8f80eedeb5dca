/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A cooperative thread yields inside a switch.
 *
 * error: test/refused/coop_yield_in_switch.c:19:13: a cooperative thread cannot wait inside a
 *        switch
 * help: write if instead, or let the cases choose what to do, and wait behind the switch
 *        (<lichen/coop.h>)
 */
#include <lichen/coop.h>

volatile int what;

COOP(thread)
{
    COOP_BEGIN();
    for (;;) {
        switch (what) {
        case 1:
            coop_yield();
            break;
        default:
            break;
        }
    }
    COOP_END();
}
