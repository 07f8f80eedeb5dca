/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the tests of the link of radios of bytes share: receivers, frames of TinyOS by hand, and
 * what is there before and after each test. The driver is played (fake_driver.h). */
#ifndef TEST_MOTE_LINK_BYTES_PLAYED_H
#define TEST_MOTE_LINK_BYTES_PLAYED_H

#include <lichen/am.h>

#include "fake_driver.h"
#include "net/byte_link/byte_link.h"

enum {
    OWN = 0x0102,
    OTHER = 0x0203, /* a mote */
    COUNT = 6,      /* types of messages */
    LIGHT = 7,
    HEADER = 7, /* bytes of it */
    LONGEST = 118,
    FRAMES = 5,
    TRIES = 4,
    SETTLE_MS = 30,
};

extern struct link_settings settings;
extern struct link_transfer transfers[2];
extern uint8_t payload[LONGEST + 2];
extern uint8_t frame[HEADER + LONGEST];

/* Of counts, three of them, of other messages, four, and of packets, two. */
extern struct link_receiver counts, messages, others;

/* Opens the link, and takes away what earlier tests have left. */
void renew(void);
void take_all(void);

/* How many were lost by a reason of enum byte_link_lost. */
uint16_t losses(unsigned reason);

/* The driver has one of those that are used. */
uint8_t frames_free(void);

/* Makes `frame` one whose payload counts up from its length. Returns its length. */
uint8_t compose(uint16_t to, uint16_t from, uint8_t type, uint8_t length);

/* Receives it; `receive` expects that it is acknowledged, if it is for this mote alone. */
enum fake_reception hear(uint16_t to, uint16_t from, uint8_t type, uint8_t length);
void receive(uint16_t to, uint16_t from, uint8_t type, uint8_t length);

/* The next count has this length, and counts up from it. */
void expect_count(uint8_t length);

/* Nothing more has come, and no memory is used. */
void expect_nothing(void);

/* The last frame that was sent. */
void expect_sent(const uint8_t *bytes, uint8_t length);

/* Sends the beginning of `payload` as a packet. */
int send_packet(uint16_t to, uint8_t length);

#endif
