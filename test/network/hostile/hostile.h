/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the mote that sends hostile frames and the one that receives them agree on
 * (host/cli/tests/command/hostile.rs).
 */
#ifndef TEST_AIR_HOSTILE_H
#define TEST_AIR_HOSTILE_H

#include <stdint.h>

enum {
    AIR_ADDRESS = 0x1234, /* the receiver's */
    AIR_TALKER = 0x7777,  /* the sender's of true packets; no hostile frame has it */
    AIR_CHILD = 0x0103,   /* hostile frames come from it, too, */
    AIR_PARENT = 0x0104,  /* and from it */
    /* Types of messages. */
    AIR_CHANGED = 5,         /* a secured packet that may have been changed */
    AIR_ANNOUNCEMENT = 0x40, /* the receiver's addresses, */
    AIR_TRUE = 0x41,         /* a true packet: a number that counts up, */
    AIR_ROUND = 0x42,        /* the end of a round: its number */
};

static const uint8_t air_key[16] = {0xc0, 0xc1, 0xc2, 0xc3};

/* The extended address of the sender of secured packets, the most significant byte first. */
static const uint8_t air_talker[8] = {2, 0, 0, 0, 0, 0, 0, 9};

/* The payload of the announcement. */
struct air_announcement {
    uint16_t pan;
    uint8_t extended[8]; /* the least significant byte first */
    uint8_t is_secured;
};

#endif
