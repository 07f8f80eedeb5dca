/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A handler has a vector that the chip does not have.
 *
 * on: micaz
 * refused: the chip has no interrupt TC3
 */
#include <lichen/interrupt.h>

volatile unsigned runs;

INTERRUPT(TC3)
{
    runs++;
}
