/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Receivers of programs that were loaded. An image that exports the link to programs names
 * link_incoming_of_programs. */
#include "net/am/programs.h"
#include "net/am/read.h"
#include "net/am/taker_of_programs.h"
#include "net/link/link.h"
#include "net/link/take.h"

/* What incoming.c does, with another search. */
#define taker_find    taker_find_of_programs
#define link_incoming link_incoming_of_programs
#include "net/link/incoming.c"

void link_read_of_programs(packet_t packet, struct am_message *message, void *payload, uint8_t size)
{
    struct link_info info;

    link_take_info(packet, &info);
    am_read_packet(packet, &info, message, payload, size);
}

void link_free_of_programs(packet_t packet)
{
    packet_free(packet);
}
