/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the forms define: each of these functions is one of link.h, link_request, link_go_on,
 * link_has_place or link_tell, in a program of the form (os/features.cmake).
 */
#ifndef NET_LINK_FORM_H
#define NET_LINK_FORM_H

#include "net/link/link.h"

void link_request_event(void);
void link_request_threads(void);
void link_request_in_turn(void);
void link_go_on_in_turn(void);
bool link_has_place_always(void);
bool link_has_place_queued(void);
void link_tell_at_once(uint8_t kind, packet_t packet);
void link_tell_queued(uint8_t kind, packet_t packet);

/* -------- messages.c: the queue to the thread that checks frames */

/* How many received packets may wait for the thread, besides those that the driver keeps. */
enum { LINK_PACKETS = 3 };

/* Waits for a message, and does what it says, except a request.
 * returns   enum link_message_kind
 * context   thread
 * blocks    yes
 */
uint8_t link_hear(void);

#endif
