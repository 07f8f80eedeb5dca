/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When a neighbour was heard, where the radio stamps frames: by the stamp. In two steps, of which
 * the first one moves bytes: AVR shifts 64 bits one by one. */
#include "net/neighbour/neighbour.h"

__asm__(".global link_incoming"); /* neighbours are heard by it */

uint16_t neighbour_time(const struct packet_attributes *attributes)
{
    return (uint16_t)((uint32_t)(attributes->time_us >> 16) >> (NEIGHBOUR_TIME_SHIFT - 16));
}
