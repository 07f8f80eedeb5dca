/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/am/dispatch.h"

uint8_t am_header_of(packet_t packet, uint8_t at, uint8_t *type)
{
    if (packet_length(packet) < (uint16_t)(at + AM_HEADER_BYTES)) {
        return 0;
    }
    const uint8_t *bytes = packet_flat(packet) + at;
    *type = bytes[1];
    return bytes[0] == AM_DISPATCH ? AM_HEADER_BYTES : 0;
}
