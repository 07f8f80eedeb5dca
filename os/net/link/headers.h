/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Headers that are not the usual one: headers.c. Not there in a program that says neither
 * LINK_ALL_HEADERS nor LINK_SECURED, so ieee802154.c looks for it first.
 */
#ifndef NET_LINK_HEADERS_H
#define NET_LINK_HEADERS_H

#include "net/link/link.h"

/* aMaxMacSafePayloadSize: a longer payload makes it a frame of 2006. */
#define LINK_SAFE_PAYLOAD 102u

/* As link_format_parse, _open and _build, for any header. */
struct link_frame;
uint8_t link_headers_parse(packet_t packet, struct link_frame *frame);
uint8_t link_headers_open(packet_t packet, uint8_t *payload);
uint8_t link_headers_build(struct link_sending *sending);

/* Makes the acknowledgment that a received frame asks for.
 * returns   PACKET_NONE: it asks for none, or is for somebody else
 * context   event
 */
packet_t link_headers_ack_for(packet_t packet);

/* Counts of frames and of what was to be secured that were refused, and the names of the reasons.
 */
extern const ARCH_FLASH uint8_t link_headers_reasons;
extern uint16_t link_headers_losses[];
void link_headers_reason(uint8_t index, struct link_loss *loss);

#endif
