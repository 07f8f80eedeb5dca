/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Receivers of programs that were loaded. An image that exports the link to programs names
 * byte_link_deliver_of_programs. */
#include <lichen/kernel.h>

#include "net/am/programs.h"
#include "net/am/taker_of_programs.h"
#include "net/byte_link/deliver.h"
#include "net/byte_link/read.h"

uint8_t byte_link_deliver_of_programs(const uint8_t *frame, uint8_t number)
{
    return byte_link_deliver_by(taker_find_of_programs, frame, number);
}

/* At the kernel level, of a message. */
static int find_head(void *receiver)
{
    uint8_t head = byte_link_head_in(link_takers_begin, link_takers_end, receiver, true, 0);

    for (const struct program *program = programs; program != 0; program = program->next) {
        const ARCH_FLASH struct link_taker *takers = program_takers(program);
        head = byte_link_head_in(takers, takers + program->header->receivers, receiver, true, head);
    }
    return head;
}

static uint8_t head_of(const struct link_receiver *receiver, bool is_message)
{
    return is_message ? (uint8_t)kernel_run(find_head, (void *)(uintptr_t)receiver) : 0;
}

int byte_link_to_packet_of_programs(const struct link_receiver *receiver, uint8_t number,
                                    struct link_info *info, packet_t *packet)
{
    return byte_link_to_packet_by(head_of, receiver, number, info, packet);
}

void byte_link_read_of_programs(packet_t number, struct am_message *message, void *payload,
                                uint8_t size)
{
    byte_link_read_message(number, message, payload, size);
}

void byte_link_free_of_programs(packet_t number)
{
    byte_link_free_frame(number);
}
