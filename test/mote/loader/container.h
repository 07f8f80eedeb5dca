/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Makes the container of a program, which counts in its data: here, because the fingerprints of the
 * image's calls are in it.
 */
#ifndef TEST_MOTE_LOADER_CONTAINER_H
#define TEST_MOTE_LOADER_CONTAINER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CONTAINER_ROOM = 256,
};

/* What is different from one program to another. */
struct counting {
    uint16_t version;
    uint16_t confirm_s;
    uint8_t confirms; /* it calls program_confirm */
    uint8_t bad_call; /* it calls what is not there */
    uint8_t hides;    /* it does not declare what it calls */
    uint8_t step;     /* what it adds */
    uint8_t events;   /* in the header alone: it is refused there */
    uint8_t event_stack;
};

/* The container, and its length. */
extern uint8_t container[CONTAINER_ROOM];
extern uint16_t container_bytes;

void container_make(const struct counting *counting);

#endif
