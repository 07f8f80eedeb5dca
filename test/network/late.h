/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a mote that asks for acknowledgments and one that sends them late have in common. */
#ifndef TEST_NETWORK_LATE_H
#define TEST_NETWORK_LATE_H

enum {
    CHANNEL = 20,
    ASKER = 1, /* addresses */
    OTHER = 3,
    CALLS = 0x41, /* first bytes of frames: with this one begins a round, */
    ASKS = 0x61,  /* and this one may be answered */
    ROUNDS = 60,
};

#endif
