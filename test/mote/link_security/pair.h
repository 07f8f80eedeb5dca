/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A sender and a receiver that share keys and counter. */
#ifndef TEST_MOTE_LINK_SECURITY_PAIR_H
#define TEST_MOTE_LINK_SECURITY_PAIR_H

#include <lichen/link_security.h>

#include "net/security/frame.h"

enum {
    KEYS = 3,
    DEVICES = 4,
    OPEN =
        21, /* bytes of a frame that are authenticated only, and of those that may be enciphered */
    PRIVATE = 30,
    ROOM = OPEN + PRIVATE + SECURITY_MIC_MOST,
};

extern struct link_security security;
extern struct counter security_counter;
extern const uint8_t key[LINK_KEY_BYTES];
extern const struct link_key_name by_index;

/* The frame on its way, its sender, and its level. */
extern struct security_pass pass;
extern struct security_header header;
extern uint8_t frame[ROOM];
extern uint8_t sender[LINK_EXTENDED_BYTES];
extern uint8_t level;

/* Power is back: what was in RAM is gone. */
void restart(void);

/* A new medium, a key, and counters. */
void renew(void);

enum link_refusal send(const struct link_key_name *name);

/* Receives a copy of the frame, whose header is at its place, with other addresses if `in` says so.
 */
enum link_refusal receive_from(struct security_incoming in, uint16_t other_bytes);
enum link_refusal receive(void);

/* Both, without a refusal. */
void send_and_receive(void);

#endif
