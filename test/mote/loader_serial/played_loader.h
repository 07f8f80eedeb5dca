/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A loader that only notes what it is asked for. */
#ifndef TEST_MOTE_LOADER_SERIAL_PLAYED_LOADER_H
#define TEST_MOTE_LOADER_SERIAL_PLAYED_LOADER_H

#include <stdint.h>

enum {
    PLAYED_BYTES = 200,
};

/* Calls of loader_begin, loader_feed, loader_end, and of others. */
struct played {
    uint8_t begun;
    uint8_t fed;
    uint8_t ended;
    uint8_t named;
    uint8_t given_up;
    uint8_t instance;
    char name[20]; /* of the last call with one */
    uint8_t bytes[PLAYED_BYTES];
    uint8_t count;
};

extern struct played played;
extern int played_result;       /* of loader_feed from now on */
extern uint8_t played_delay_ms; /* how long loader_feed takes */

#endif
