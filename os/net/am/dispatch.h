/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The two bytes in front of an active message in a packet of the link: a byte that 6LoWPAN keeps
 * for other networks, and the type. Other packets do not begin with that byte.
 */
#ifndef NET_AM_DISPATCH_H
#define NET_AM_DISPATCH_H

#include <stdint.h>

#include <lichen/packet.h>

enum {
    AM_DISPATCH = 0x3f, /* as in TinyOS, IEEE 802.15.4 */
    AM_HEADER_BYTES = 2,
};

/* Reads them from a packet in one block, as those that were received are.
 * at        offset of the packet's part that may be a message
 * returns   AM_HEADER_BYTES; 0: it is none
 * context   any
 */
uint8_t am_header_of(packet_t packet, uint8_t at, uint8_t *type);

#endif
