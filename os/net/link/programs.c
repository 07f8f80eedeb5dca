/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Receivers of programs that were loaded. An image that exports the link to programs names
 * link_incoming_of_programs. */
#include "net/am/taker_of_programs.h"
#include "net/link/link.h"

#include <lichen/queue.h>

/* What incoming.c does, with another search. */
#define taker_find    taker_find_of_programs
#define link_incoming link_incoming_of_programs
#include "net/link/incoming.c"

/* What a program has not taken. */
void link_program_left(const struct program *program)
{
    const ARCH_FLASH struct link_taker *taker = program_takers(program);
    packet_t packet;

    for (uint8_t left = program->header->receivers; left > 0; left--, taker++) {
        while (queue_try_receive(&taker->receiver->queue, &packet) == 0) {
            packet_free(packet);
        }
    }
}
