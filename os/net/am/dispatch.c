/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/am/dispatch.h"

uint8_t am_header_of(packet_t packet, uint8_t at, uint8_t *type)
{
    uint8_t bytes[AM_HEADER_BYTES];

    if (packet_length(packet) < at + sizeof(bytes)) {
        return 0;
    }
    packet_read(packet, at, bytes, sizeof(bytes));
    *type = bytes[1];
    return bytes[0] == AM_DISPATCH ? sizeof(bytes) : 0;
}
