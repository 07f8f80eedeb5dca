/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the motes of these tests have in common. */
#ifndef TEST_NETWORK_NUMBERED_H
#define TEST_NETWORK_NUMBERED_H

enum {
    SENDER = 1, /* addresses */
    RECEIVER = 2,
    OTHER = 3,
    NUMBERED = 33, /* type of a message with a number of two bytes, which a sender uses once */
};

#endif
