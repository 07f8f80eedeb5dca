/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reads a container's header, name and records as they come, and checks them: what has been taken
 * is within its bounds (doc/spec/container.md).
 */
#ifndef LOAD_HEADER_H
#define LOAD_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/error.h>

#include "load/container.h"
#include "load/error.h"

enum {
    HEADER_GROUPS = 16, /* groups of calls that a program can declare */
};

/* `header` is valid once its bytes are read; the rest is the reader's own, except `groups`. */
struct header {
    struct container_header header;
    uint16_t groups; /* a bit for each that is declared: for linker_call */
    uint8_t read;    /* bytes */
    uint8_t state;   /* what the next byte of a record is: header.c */
    uint8_t left;    /* bytes of the record */
    uint8_t group;
    uint8_t low; /* of the group's fingerprint */
};

void header_begin(struct header *header);

/* Takes one byte.
 * returns   LOAD_OK; the reason why the container is refused; LOAD_LENGTH: the header was complete
 * context   thread
 * blocks    no
 */
MUST_CHECK enum load_error header_feed(struct header *header, uint8_t byte);

/* Whether header, name and records are complete. What follows is the linker's. */
bool header_is_complete(const struct header *header);

/* Checks the first bytes alone, as header_feed does.
 * context   any
 * blocks    no
 */
MUST_CHECK enum load_error load_header_check(const struct container_header *header);

#endif
