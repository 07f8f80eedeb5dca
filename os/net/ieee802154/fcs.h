/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The frame check sequence of IEEE 802.15.4: CRC-16 of the ITU, polynomial x^16 + x^12 + x^5 + 1,
 * least significant bit first, initial value 0. It follows the frame, least significant byte first;
 * over a frame and its FCS it is 0.
 */
#ifndef NET_IEEE802154_FCS_H
#define NET_IEEE802154_FCS_H

#include <stdint.h>

#include <lichen/packet.h>

#define FCS_BEGIN 0u
#define FCS_BYTES 2u

/* Continues an FCS by a byte: eight steps of the division at once, without a table.
 * cost      21 cycles, 24 on AVR, with the loop of fcs_of around it [test mote/packet_cost]
 */
static inline uint16_t fcs_add(uint16_t fcs, uint8_t byte)
{
    uint8_t x = (uint8_t)fcs ^ byte;

    x ^= (uint8_t)(x << 4);
    uint8_t upper_half = x >> 4;
    uint8_t low = (uint8_t)(fcs >> 8) ^ upper_half ^ (uint8_t)(x << 3);
    uint8_t high = x ^ upper_half >> 1;
    return (uint16_t)((uint16_t)high << 8 | low);
}

/* The FCS of bytes in memory, begun with FCS_BEGIN or continued. */
uint16_t fcs_of(uint16_t fcs, const void *bytes, uint16_t length);

/* The FCS of a packet, of its first `length` bytes. */
uint16_t fcs_of_packet(packet_t packet, uint16_t length);

#endif
