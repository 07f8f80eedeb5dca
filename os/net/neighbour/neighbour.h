/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Who is in reach: the table of neighbours, for all links. Not there in a program that calls
 * neither link_neighbour nor link_child, so what a link calls with each frame is looked for first.
 * The table is changed at the kernel level.
 */
#ifndef NET_NEIGHBOUR_NEIGHBOUR_H
#define NET_NEIGHBOUR_NEIGHBOUR_H

#include <lichen/link.h>

/* Notes a frame that was received.
 * attributes  its strength and quality; its time is the latest that is known
 * context     event, thread
 */
void neighbour_heard(const struct link_address *source, const struct packet_attributes *attributes);

/* The same, where frames have no extended addresses: short.c.
 * context   event
 */
void neighbour_heard_short(uint16_t source, int8_t dbm);

/* Notes a transfer's end.
 * sent      how often it was on the air
 * context   event
 */
void neighbour_tried(const struct link_address *destination, uint8_t sent, bool acknowledged);

/* Whether it is a child.
 * context   event, thread
 */
bool neighbour_is_child(const struct link_address *address);

/* Makes it a child, or no child any more.
 * returns   false: it has no place, or is not known
 * context   event, thread
 */
bool neighbour_set_child(const struct link_address *address, bool is_child);

#endif
