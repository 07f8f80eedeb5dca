/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When frames were on the air, beside the blocks, in a program that asks. It links what the board's
 * radio needs to tell that. */
#include "net/packet/block.h"

__asm__(".global radio_times");

uint64_t packet_time_us(packet_t packet)
{
    (void)packet_get(packet);
    return packet_times[packet - 1u];
}

void packet_time_clear(packet_t packet)
{
    packet_times[packet - 1u] = 0;
}

void packet_time_copy(packet_t to, packet_t from)
{
    packet_times[to - 1u] = packet_times[from - 1u];
}
