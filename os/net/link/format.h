/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The seam between the link and the frames of a kind of radio: what a frame looks like on the air.
 * One file defines these functions, ieee802154.c, with headers.c for rare headers; all others know
 * nothing of headers. Another kind of frame is another such file.
 */
#ifndef NET_LINK_FORMAT_H
#define NET_LINK_FORMAT_H

#include "net/link/link.h"

/* Its channel and the longest payload, if nothing is secured. */
extern const ARCH_FLASH uint8_t link_format_channel;
extern const ARCH_FLASH uint8_t link_format_payload;

/* Whether frames can be as the settings say.
 * context   thread
 */
bool link_format_allows(const struct link_settings *settings);

/* Whether frames can have this destination.
 * context   event, thread
 */
bool link_format_reaches(const struct link_address *destination);

/* What a received frame says, without its payload. */
struct link_frame {
    struct link_address source; /* LINK_ALL: it tells none */
    uint8_t sequence;
    bool has_sequence;
    bool is_data;
    bool is_data_request;
    bool is_mine; /* by its destination */
    bool to_all;
    bool pending; /* the sender has more, or cannot tell */
    bool is_secured;
    bool is_repeated; /* written by link_incoming: it has come before */
};

/* Reads a frame's header. The frame is remembered for link_format_open.
 * returns   LOST_NONE, or why it is lost
 * context   the form's
 */
uint8_t link_format_parse(packet_t packet, struct link_frame *frame);

/* Checks and removes the security of the frame that was parsed last, and what follows its payload.
 * payload   offset of it
 * returns   LOST_NONE, or why it is lost
 * context   the form's
 */
uint8_t link_format_open(packet_t packet, uint8_t *payload);

/* Allocates the payload of a request for data.
 * returns   as packet_alloc
 * context   event
 */
int link_format_request(packet_t *packet);

/* Makes a payload, which only the caller has, a frame, secured as the settings say.
 * returns   LOST_NONE, or why it is lost
 * context   the form's
 */
uint8_t link_format_build(struct link_sending *sending);

/* Has a frame that was sent to a child say whether more waits, if the format has that and the frame
 * is not secured. A secured one stays as it was, with its counter.
 * context   the form's
 */
void link_format_renew(const struct link_sending *sending);

/* Whether a received frame is an acknowledgment.
 * context   event
 */
bool link_format_is_ack(packet_t packet, uint8_t *sequence, bool *pending);

#endif
