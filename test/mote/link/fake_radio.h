/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A radio of which a test decides what it receives and what becomes of what it sends: it defines
 * the functions of lichen/radio.h. What it can do by itself is said by the program's `radio_facts`.
 */
#ifndef TEST_MOTE_LINK_FAKE_RADIO_H
#define TEST_MOTE_LINK_FAKE_RADIO_H

#include <lichen/radio.h>

/* What becomes of the next transmissions, the first one first; of further ones, FAKE_ARRIVES. */
enum fake_fate {
    FAKE_ARRIVES = 0,   /* and is acknowledged, if it asks for it */
    FAKE_ANNOUNCES = 1, /* the same, and the acknowledgment says that more is there */
    FAKE_UNACKNOWLEDGED = 2,
    FAKE_BUSY = 3,  /* the channel is not clear */
    FAKE_FAILS = 4, /* the radio fails */
};
enum { FAKE_FATES = 16, FAKE_SENT = 2 };

/* What the radio's counters of losses say: the first one this, each next one 1 more; `not_taken`
 * also what it has lost. */
enum { FAKE_COUNTED = 1000 };

/* A frame that was sent. */
struct fake_frame {
    uint8_t length;
    uint8_t transfer_flags;
    uint8_t flags; /* of the settings at that time */
    uint8_t bytes[PACKET_FRAME_BYTES];
};

struct fake {
    struct radio_settings settings;
    bool listens;
    uint8_t fates[FAKE_FATES];
    uint8_t fate_count;
    uint16_t sent;                     /* frames ever, of which the last ones are below */
    struct fake_frame last[FAKE_SENT]; /* at their number modulo FAKE_SENT */
    uint16_t lost;                     /* received ones for which there was no place */
    uint16_t air_us;                   /* how long a transmission takes */
    bool answers_never;                /* no received frame is RADIO_ANSWERS */
    uint64_t ended_us;                 /* when the last frame ended */
    uint64_t asked_us;                 /* when the last transmission was asked for */
    int8_t dbm;
    uint8_t lqi;
    const volatile unsigned *counter; /* a register that counts; 0: none */
    unsigned begun_count;             /* of it, when the last transmission was asked for */
};
extern struct fake fake;

void fake_renew(void);

/* Plans a fate. */
void fake_plan(uint8_t fate);

/* The frame that was sent last, or before it. */
const struct fake_frame *fake_sent(uint16_t before);

/* Receives a frame, without its checksum; event or thread.
 * returns   false: the driver has no place for it
 */
bool fake_receive(const void *bytes, uint8_t length);

/* The same, but the event is for the test to post. */
bool fake_hold(const void *bytes, uint8_t length);

#endif
