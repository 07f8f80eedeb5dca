/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Who is in reach: the table of neighbours, for all links. Not there in a program that calls
 * neither link_neighbour nor link_child, so what a link calls with each frame is looked for first.
 * The table is changed at the kernel level.
 */
#ifndef NET_NEIGHBOUR_NEIGHBOUR_H
#define NET_NEIGHBOUR_NEIGHBOUR_H

#include <lichen/link.h>

/* `heard` of a neighbour is in units of 2^20 us. */
enum { NEIGHBOUR_TIME_SHIFT = 20 };

/* When a frame was received, in these units: stamped.c or known.c, by the board's radio.
 * context   event
 */
uint16_t neighbour_time(const struct packet_attributes *attributes);

/* Notes a frame that was received.
 * attributes  its time, strength and quality
 * context     event, thread
 */
void neighbour_heard(const struct link_address *source, const struct packet_attributes *attributes);

/* The same, where frames have neither stamps nor extended addresses: known.c.
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
