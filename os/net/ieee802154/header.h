/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What parsing and building share: the bits of the header, and which PAN IDs it has. */
#ifndef NET_IEEE802154_HEADER_H
#define NET_IEEE802154_HEADER_H

#include "net/ieee802154/frame.h"

/* The frame control field, figure 7-2. */
enum {
    CONTROL_TYPE = 0x0007,
    CONTROL_SECURITY = 1 << 3,
    CONTROL_PENDING = 1 << 4,
    CONTROL_ACK_REQUEST = 1 << 5,
    CONTROL_COMPRESSION = 1 << 6,
    CONTROL_NO_SEQUENCE = 1 << 8, /* reserved before 2015, as is the next one */
    CONTROL_IES = 1 << 9,
    CONTROL_DESTINATION_AT = 10,
    CONTROL_VERSION_AT = 12,
    CONTROL_SOURCE_AT = 14,
    CONTROL_FIELD = 3, /* two bits at these places */
};

/* The security control field, figure 9-9. */
enum {
    SECURITY_LEVEL = 7,
    SECURITY_KEY_MODE_AT = 3,
    SECURITY_NO_COUNTER = 1 << 5, /* reserved before 2015, as is the next one */
    SECURITY_ASN = 1 << 6,
};

/* Whether a type, a version and addressing modes are those of a frame. */
enum frame_refusal header_check(const struct frame *frame);

/* Which PAN IDs a header has. */
struct header_pans {
    bool destination;
    bool source;
};

/* Looks them up by the compression (section 7.2.2.6 and table 7-2).
 * returns   FRAME_GOOD, or FRAME_COMPRESSION
 */
enum frame_refusal header_choose_pans(const struct frame *frame, struct header_pans *pans);

/* Bytes of an address, and of a key's source. */
uint8_t header_address_bytes(uint8_t mode);
uint8_t header_key_source_bytes(uint8_t key_mode);

#endif
