/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames that are secured, and frames whose security is checked (802.15.4-2015, 9.2): a pass over
 * each, piece by piece.
 *
 *     security_outgoing_begin(&pass, security, &out, &header);    takes a counter
 *     ... the MAC writes `header` into the frame ...
 *     security_open(&pass, bytes, length);        what everybody may read
 *     security_private(&pass, bytes, length);     what the level may encipher, in place
 *     security_outgoing_end(&pass, mic);
 *
 *     security_incoming_begin(&pass, security, &in, &header);     looks up key and sender
 *     ... the same ...
 *     security_incoming_end(&pass, mic);          says whether all of that is genuine
 *
 * Everybody may read the MAC's header with the security header, and some of a command's bytes.
 * Pieces have any length; the open ones come first. Their sums are those given at the beginning,
 * else ccm asserts. A pass that is not ended costs a counter and nothing else.
 */
#ifndef NET_SECURITY_FRAME_H
#define NET_SECURITY_FRAME_H

#include "crypto/ccm.h"
#include "net/security/header.h"

/* A pass. It has a copy of the key, so that the program may replace that meanwhile. 96 bytes on
 * ARM, 88 on AVR: of the threads that send and receive, each has one. */
struct security_pass {
    struct ccm ccm;
    union cipher_block key;
    struct link_security *security;
    uint32_t counter;
    uint8_t sender[LINK_EXTENDED_BYTES];
    uint8_t level;
    bool is_outgoing;
};

/* A frame to be sent. */
struct security_outgoing {
    const struct link_key_name *key;
    const uint8_t *sender; /* this mote's extended address, most significant byte first */
    uint16_t open_bytes, private_bytes;
    uint8_t level; /* enum link_level */
};

/* A frame that was received. */
struct security_incoming {
    const uint8_t *extended;     /* the sender's, most significant byte first; 0: it is not there */
    uint16_t pan, short_address; /* else; 0xffff: this is not there either */
    uint16_t open_bytes;
    uint16_t other_bytes; /* all others of the frame but its FCS: private ones and the MIC */
};

/* Begins with a frame to be sent.
 * header    out: to be written into the frame, as a part of the open bytes
 * returns   LINK_GOOD, or why it cannot be secured; then it must not be sent
 * context   thread
 * blocks    yes, while another thread changes keys
 *           cost  a block of the cipher
 */
enum link_refusal security_outgoing_begin(struct security_pass *pass,
                                          struct link_security *security,
                                          const struct security_outgoing *frame,
                                          struct security_header *header);

/* Begins with a frame that was received.
 * header    as read from it
 * returns   LINK_GOOD, or why it is refused
 * context   thread
 * blocks    yes, while another thread changes keys
 *           cost  a block of the cipher, if it is not refused
 */
enum link_refusal security_incoming_begin(struct security_pass *pass,
                                          struct link_security *security,
                                          const struct security_incoming *frame,
                                          const struct security_header *header);

/* Takes the next open bytes.
 * context   thread
 * blocks    no       cost  a block of the cipher for each 16
 */
void security_open(struct security_pass *pass, const uint8_t *bytes, uint16_t length);

/* Takes the next private bytes. Those of a frame that was received must not be used before
 * security_incoming_end has accepted it.
 * context   thread
 * blocks    no       cost  a block of the cipher for each 16, and two if they are enciphered
 */
void security_private(struct security_pass *pass, uint8_t *bytes, uint16_t length);

/* Ends a pass, and writes the MIC.
 * mic       room for security_mic_bytes of the level
 * context   thread
 * blocks    no       cost  a block of the cipher
 */
void security_outgoing_end(struct security_pass *pass, uint8_t *mic);

/* Ends a pass, and says whether the frame is genuine and new. Only then its sender's counter
 * advances.
 * mic       the last bytes of the frame
 * returns   LINK_GOOD, LINK_MIC_WRONG or LINK_COUNTER_OLD
 * context   thread
 * blocks    yes, while another thread changes keys
 *           cost  a block of the cipher
 */
enum link_refusal security_incoming_end(struct security_pass *pass, const uint8_t *mic);

#endif
