/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A cooperative thread yields inside a switch.
 *
 * refused: overflow in conversion from 'long long int' to 'int'
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
