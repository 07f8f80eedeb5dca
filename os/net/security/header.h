/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The auxiliary security header of 802.15.4 (2015, clause 9.4): bytes, and what they mean. */
#ifndef NET_SECURITY_HEADER_H
#define NET_SECURITY_HEADER_H

#include <lichen/link_security.h>

enum {
    SECURITY_HEADER_MOST = 14, /* bytes */
    SECURITY_MIC_MOST = 16,
};

/* What a header says. */
struct security_header {
    uint32_t counter;
    struct link_key_name key;
    uint8_t level; /* enum link_level */
};

/* Bytes of the header, and of the MIC at the end of the frame.
 * context   any
 * blocks    no
 */
uint8_t security_header_bytes(const struct security_header *header);
uint8_t security_mic_bytes(uint8_t level);

/* Writes a header.
 * bytes     room for security_header_bytes
 * context   any
 * blocks    no
 */
void security_header_write(const struct security_header *header, uint8_t *bytes);

/* Reads a header.
 * length    bytes from its beginning to the end of the frame
 * header    out: what it says; undefined if it is refused
 * returns   LINK_GOOD or why the frame is refused
 * context   any
 * blocks    no
 */
enum link_refusal security_header_read(const uint8_t *bytes, uint16_t length,
                                       struct security_header *header);

/* Whether frames of this level are sent and received at all.
 * context   any
 * blocks    no
 */
enum link_refusal security_level_check(uint8_t level);

#endif
