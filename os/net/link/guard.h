/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Security of frames of 802.15.4, linked by LINK_SECURED: else the functions are not there. */
#ifndef NET_LINK_GUARD_H
#define NET_LINK_GUARD_H

#include "net/ieee802154/frame.h"
#include "net/link/link.h"

/* Puts the header in front of a payload, enciphers it, and appends the MIC.
 * open_bytes  of the payload, which are not enciphered
 * refusal     LINK_GOOD, or why it cannot be secured
 * returns     0, or ERR_FULL: refused, or no block of memory
 * context     thread (net-tx)
 */
int link_guard_protect(packet_t packet, struct frame *frame, uint8_t open_bytes,
                       enum link_refusal *refusal);

/* Checks a received frame, and deciphers it in its place.
 * returns     LINK_GOOD, or why it is refused
 * context     thread (net-main)
 */
enum link_refusal link_guard_open(packet_t packet, const struct frame *frame, uint8_t open_bytes);

/* Reserves counters of frames: link_open begins with it.
 * returns     as counter_reserve
 * context     thread
 */
int link_guard_reserve(void);

/* Reserves the next block of counters, if half of one is left and nothing is to be sent, or if a
 * quarter is: after each frame.
 * context     thread (net-tx)
 */
void link_guard_reserve_ahead(void);

#endif
