/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the tests of the link share: what they begin with, and frames of IEEE 802.15.4 by hand. */
#ifndef TEST_MOTE_LINK_PLAYED_H
#define TEST_MOTE_LINK_PLAYED_H

#include <lichen/am.h>

enum {
    PLAYED_OWN = 1,
    PLAYED_OTHER = 2,  /* a mote */
    PLAYED_TYPE = 6,   /* of messages */
    PLAYED_HEADER = 9, /* bytes of it, of a frame with short addresses */
    PLAYED_SETTLE_MS = 30,
};

/* Opens the link with short address 1, and takes away what earlier tests have left. */
void played_renew(void);

uint8_t played_blocks_free(void);
extern uint8_t played_free_at_first;

extern struct link_settings settings;
extern struct link_transfer transfers[3];
extern uint8_t payload[4];

/* Of messages of PLAYED_TYPE, of other messages, and of packets that nobody else takes. */
extern struct link_receiver counts, messages, others;

/* How many were lost by a reason of enum link_lost. */
uint16_t losses(unsigned reason);

/* Makes `frame` a data frame of 2003 between short addresses, with a message. Returns its length.
 */
extern uint8_t frame[20];
extern uint8_t next_sequence;
uint8_t compose(uint16_t to, uint16_t from, uint8_t sequence, uint8_t type, uint8_t value);

/* Receives one, and lets net-main do its work. */
void receive(uint16_t to, uint16_t from, uint8_t type, uint8_t value);

/* Waits until so many frames were sent ever, PLAYED_SETTLE_MS at most. */
void wait_for_sent(uint16_t frames);

/* Waits for the end of a transfer, PLAYED_SETTLE_MS at most. */
void await_end(const struct link_transfer *transfer);

/* The next message in `counts` has this value; there is none. */
void expect_count(uint8_t value);
void expect_no_count(void);

#endif
