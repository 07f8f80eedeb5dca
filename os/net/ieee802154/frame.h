/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames of IEEE 802.15.4: their headers, parsed and built.
 *
 * Numbers of sections and tables are those of IEEE Std 802.15.4-2015, which also contains what the
 * editions of 2003 and 2006 had, by the frame version: 0 is a frame of 2003, 1 one of 2006, 2 one
 * of 2015. A frame here is a MAC frame without its FCS (fcs.h).
 *
 * The bytes of a frame come from the air: a length in it may be wrong, and it may end anywhere. The
 * parser reads through a cursor, which does not leave the frame, and a frame that is not as the
 * standard says is refused by a reason, for the counters of lost frames. It checks nothing that
 * needs state: whose frame it is, whether it is new, and whether its MIC is right.
 */
#ifndef NET_IEEE802154_FRAME_H
#define NET_IEEE802154_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/packet.h>

#include "net/ieee802154/fcs.h"

#define FRAME_BYTES_MAX  (PACKET_FRAME_BYTES - FCS_BYTES) /* the longest frame of 2.4 GHz */
#define FRAME_HEADER_MAX 37u /* the longest header without information elements */

/* Table 7-1, Values of the Frame Type field. */
enum frame_type {
    FRAME_BEACON = 0,
    FRAME_DATA = 1,
    FRAME_ACK = 2,
    FRAME_COMMAND = 3,
};

enum frame_version {
    FRAME_2003 = 0,
    FRAME_2006 = 1,
    FRAME_2015 = 2,
};

/* Table 7-3. */
enum frame_address_mode {
    FRAME_ADDRESS_NONE = 0,
    FRAME_ADDRESS_SHORT = 2,
    FRAME_ADDRESS_EXTENDED = 3,
};

struct frame_address {
    uint8_t mode;     /* enum frame_address_mode */
    bool has_pan;     /* the PAN ID is in the frame. Set by frame_parse and frame_compress */
    uint16_t pan;     /* of a source without one in the frame, the destination's; else 0xffff */
    uint8_t bytes[8]; /* 2 or 8, least significant first, as in the frame */
};

/* The auxiliary security header, section 9.4. */
struct frame_security {
    uint8_t level;           /* 0 to 7: bit 2 encryption, bits 1 and 0 the length of the MIC */
    uint8_t key_mode;        /* 0 to 3 */
    uint8_t key_index;       /* not in mode 0 */
    bool counter_suppressed; /* the frame counter is not in the frame (2015) */
    bool asn_in_nonce;       /* the nonce has the absolute slot number (2015) */
    uint32_t counter;        /* frame counter; 0 if it is suppressed */
    uint8_t key_source[8];   /* 4 bytes in mode 2, 8 in mode 3, as in the frame */
};

/* A frame's header, and where the parts of the frame are. */
struct frame {
    uint8_t type;    /* enum frame_type */
    uint8_t version; /* enum frame_version */
    bool pending;
    bool ack_request;
    bool pan_compression;
    bool has_sequence; /* only a frame of 2015 may have none */
    bool has_security;
    bool has_ies; /* information elements; only in a frame of 2015 */
    uint8_t sequence;
    struct frame_address destination;
    struct frame_address source;
    struct frame_security security; /* if has_security */
    /* Set by frame_parse, in bytes. The frame is its header, with header IEs; payload IEs; the
     * payload; the MIC. */
    uint8_t header_length;      /* what is authenticated but never encrypted */
    uint8_t header_ies_length;  /* of these, the IEs at its end */
    bool payload_ies_follow;    /* the header IEs say so */
    uint8_t payload_ies_length; /* 0 while they are encrypted: frame_skip_payload_ies */
    uint8_t payload_length;     /* with payload IEs while they are encrypted */
    uint8_t mic_length;
};

/* Why a frame is refused. */
enum frame_refusal {
    FRAME_GOOD = 0,
    FRAME_TOO_SHORT,        /* it ends within its header */
    FRAME_TOO_LONG,         /* it has more than FRAME_BYTES_MAX bytes */
    FRAME_RESERVED_TYPE,    /* frame type 4 */
    FRAME_MULTIPURPOSE,     /* frame type 5, not supported */
    FRAME_FRAGMENT,         /* frame type 6, not supported */
    FRAME_EXTENDED,         /* frame type 7, not supported */
    FRAME_RESERVED_VERSION, /* frame version 3 */
    FRAME_RESERVED_ADDRESS, /* addressing mode 1 */
    FRAME_NO_ADDRESSES,     /* neither address, in a frame before 2015 that is no acknowledgment */
    FRAME_COMPRESSION,      /* PAN IDs are compressed where the version does not allow it */
    FRAME_BAD_ACK,          /* an immediate acknowledgment with more than a sequence number */
    FRAME_OLD_SECURITY,     /* a secured frame of 2003, whose security was withdrawn */
    FRAME_NO_MIC,           /* it ends before its MIC */
    FRAME_BAD_HEADER_IE,    /* its length or its type is wrong */
    FRAME_BAD_PAYLOAD_IE,   /* its length or its type is wrong */
    FRAME_NOT_IN_VERSION,   /* to be built: the version does not have what is asked for */
    FRAME_BAD_PHY_LENGTH,   /* the PHY header's length is that of no frame */
    FRAME_BAD_FCS,          /* for drivers that check it */
    FRAME_REFUSALS,         /* how many reasons there are, FRAME_GOOD included */
};

/* The name of a reason, to be printed.
 * returns   a text as of TEXT (lichen/print.h), such as "too short"
 * context   any
 */
const char *frame_refusal_name(enum frame_refusal refusal);

/* Parses the header of a frame. Reserved bits are ignored.
 * cursor    at the frame, with all of it left; then at its payload, with this left: behind payload
 *           IEs unless they are encrypted, and without the MIC. Anywhere, if the frame is refused
 * returns   FRAME_GOOD, or why it is refused: `frame` has any values then
 * context   any
 * cost      1,018 cycles for a data frame of 2006 with short addresses, 1,425 on AVR; 1,503 and
 *           2,142 with a security header [test mote/packet_cost]
 */
enum frame_refusal frame_parse(struct frame *frame, struct packet_cursor *cursor);

/* Leaves out payload IEs in a payload that has been decrypted.
 * cursor    at the payload, with this left; then behind the IEs
 * returns   FRAME_GOOD, or FRAME_BAD_PAYLOAD_IE
 * context   any
 */
enum frame_refusal frame_skip_payload_ies(struct packet_cursor *cursor);

/* An information element of a header. */
struct frame_ie {
    uint8_t id;
    uint8_t length; /* of its content */
};

/* Reads the beginning of the next header IE.
 * cursor    at it; then at its content
 * returns   FRAME_GOOD; FRAME_BAD_HEADER_IE: its content is longer than what is left, or it is none
 * context   any
 */
enum frame_refusal frame_header_ie(struct packet_cursor *cursor, struct frame_ie *ie);

#define FRAME_IE_TERMINATION_1 0x7eu /* payload IEs follow */
#define FRAME_IE_TERMINATION_2 0x7fu /* the payload follows */

/* Chooses which PAN IDs the header has: one for both addresses if they are of the same PAN, else
 * one for each. Sets pan_compression, and has_pan of both.
 * returns   FRAME_GOOD, or FRAME_COMPRESSION: two extended addresses of different PANs, for which
 *           2015 has no header
 * context   any
 */
enum frame_refusal frame_compress(struct frame *frame);

/* Builds a header, without information elements: those that `has_ies` announces are part of what
 * follows. PAN IDs are in it as `pan_compression` says; `has_pan` is not read.
 * bytes     room for FRAME_HEADER_MAX
 * length    of the header
 * returns   FRAME_GOOD, or why there is no such frame
 * context   any
 * cost      425 cycles for such a data frame, 646 on AVR [test mote/packet_cost]
 */
enum frame_refusal frame_build(const struct frame *frame, uint8_t *bytes, uint8_t *length);

/* The length of a frame with its FCS, by the PHY header. Bit 7 is reserved, and ignored.
 * returns   FRAME_GOOD, or FRAME_BAD_PHY_LENGTH: too short for a frame control and an FCS
 * context   any
 */
enum frame_refusal frame_phy_length(uint8_t phr, uint8_t *length);

/* A short address as a number. */
static inline uint16_t frame_short(const struct frame_address *address)
{
    return (uint16_t)(address->bytes[0] | (uint16_t)address->bytes[1] << 8);
}

#endif
