/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When a neighbour was heard, where frames have no stamp: the time as far as it is known. */
#include <lichen/time.h>

#include "net/neighbour/neighbour.h"

__asm__(".global byte_link_received"); /* neighbours are heard by it */

uint16_t neighbour_time(const struct packet_attributes *attributes)
{
    struct time_moment moment;

    (void)attributes;
    time_known(&moment);
    return (uint16_t)((moment.s * TIME_US_PER_S + moment.us) >> NEIGHBOUR_TIME_SHIFT);
}

void neighbour_heard_short(uint16_t source, int8_t dbm)
{
    const struct link_address address = link_short(source);
    const struct packet_attributes attributes = {.dbm = dbm};

    neighbour_heard(&address, &attributes);
}
