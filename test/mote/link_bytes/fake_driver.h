/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A driver of a CC1000 of which a test decides what it receives and what becomes of what it sends:
 * it defines the functions of driver/radio/cc1000/frames.h. */
#ifndef TEST_MOTE_LINK_BYTES_FAKE_DRIVER_H
#define TEST_MOTE_LINK_BYTES_FAKE_DRIVER_H

#include "driver/radio/cc1000/frames.h"

/* What becomes of the next attempts, the first one first; of further ones, FAKE_ARRIVES. */
enum fake_fate {
    FAKE_ARRIVES = 0, /* and is acknowledged, if it asks for it */
    FAKE_UNACKNOWLEDGED,
    FAKE_BUSY,
    FAKE_FAILS,
};
enum { FAKE_FATES = 100, FAKE_AIR_MS = 2 };

struct fake {
    uint8_t fates[FAKE_FATES];
    uint8_t fate_count;
    uint16_t sent;  /* attempts that were on the air */
    uint8_t flags;  /* of the last one */
    uint8_t length; /* its bytes */
    uint8_t bytes[FRAME_BYTES_MAX];
    uint8_t cut;     /* how often one was cut off, */
    uint8_t changed; /* and how often its bytes have changed while it was on the air */
    uint8_t least_backoff, most_backoff;
};
extern struct fake fake;

void fake_renew(void);
void fake_plan(uint8_t fate, uint8_t times);

/* What becomes of a frame that is received. */
enum fake_reception {
    FAKE_MISSED, /* the driver had no memory for it */
    FAKE_NOT_ACKED,
    FAKE_ACKED,
};

/* Receives one without its checksum; in a thread. */
enum fake_reception fake_receive(const void *bytes, uint8_t length);

#endif
