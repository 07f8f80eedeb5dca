/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages that programs receive which were loaded. */
#ifndef NET_AM_PROGRAMS_H
#define NET_AM_PROGRAMS_H

#include <lichen/am.h>
#include <lichen/packet.h>

struct program;

/* What am_receive and am_try_receive are for programs. */
int am_receive_of_programs(struct link_receiver *receiver, struct am_message *message,
                           void *payload, uint8_t size, uint64_t deadline);
int am_try_receive_of_programs(struct link_receiver *receiver, struct am_message *message,
                               void *payload, uint8_t size);

/* -------- at the kernel level */

/* Frees what a program has not read. It is in no list any more. */
void am_program_left(const struct program *program);

/* Reads a message, and frees its packet, or its frame: the link's. */
typedef void am_read_fn(packet_t packet, struct am_message *message, void *payload, uint8_t size);
am_read_fn am_read_of_programs, link_read_of_programs, byte_link_read_of_programs;

/* Frees it unread; the link's. */
typedef void am_free_fn(packet_t packet);
am_free_fn am_free_of_programs, link_free_of_programs, byte_link_free_of_programs;

#endif
