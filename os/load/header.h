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
#include "load/partition.h"

/* `header` is valid once its bytes are read; the rest is the reader's own. */
struct container_reader {
    struct container_header header;
    uint8_t read;  /* bytes */
    uint8_t state; /* what the next byte of a record is: header.c */
    uint8_t left;  /* bytes of the record */
    uint8_t group;
    uint8_t low;          /* of the group's fingerprint, or of what follows */
    uint16_t event_stack; /* what the deepest event uses; 0: there are no events */
    struct partition_reader partition;
};

/* Begins to read. The groups of calls that are read are declared by calls_group. */
void container_begin(struct container_reader *reader);

/* Takes one byte.
 * returns   LOAD_OK; the reason why the container is refused; LOAD_LENGTH: the header was complete
 * context   thread
 * blocks    no
 */
MUST_CHECK enum load_error container_feed(struct container_reader *reader, uint8_t byte);

/* Whether header, name and records are complete. What follows is the linker's. */
bool container_is_complete(const struct container_reader *reader);

/* Checks the first bytes alone, as container_feed does.
 * context   any
 * blocks    no
 */
MUST_CHECK enum load_error container_check(const struct container_header *header);

#endif
