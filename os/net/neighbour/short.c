/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Neighbours that have short addresses, and of which only the strength is known. */
#include "net/neighbour/neighbour.h"

__asm__(".global byte_link_received"); /* it tells of them */

extern const uint8_t neighbour_hears;
const uint8_t neighbour_hears = 0;

void neighbour_heard_short(uint16_t source, int8_t dbm)
{
    const struct link_address address = link_short(source);
    const struct packet_attributes attributes = {.dbm = dbm};

    neighbour_heard(&address, &attributes);
}
