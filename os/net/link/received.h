/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Between the event level and net-main. */
#ifndef NET_LINK_RECEIVED_H
#define NET_LINK_RECEIVED_H

#include <stdbool.h>

#include <lichen/packet.h>

/* The driver may have packets for which there was no place. Set by the event, cleared by net-main.
 */
extern bool link_holds_back;

/* Acknowledges a frame that asks for it. In acknowledge.c, with a radio that does not do it.
 * context   event
 */
void link_acknowledge(packet_t packet);

#endif
