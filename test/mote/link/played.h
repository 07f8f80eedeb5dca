/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the tests of the link share. */
#ifndef TEST_MOTE_LINK_PLAYED_H
#define TEST_MOTE_LINK_PLAYED_H

#include <stdint.h>

enum {
    PLAYED_OTHER = 2, /* a mote */
    PLAYED_TYPE = 6,  /* of messages */
};

/* Opens the link with short address 1, and takes away what earlier tests have left. */
void played_renew(void);

uint8_t played_blocks_free(void);
extern uint8_t played_free_at_first;

#endif
