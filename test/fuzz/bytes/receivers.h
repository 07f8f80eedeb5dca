/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The program's receivers, and what must be in them: a model of them that is told each frame. */
#ifndef FUZZ_BYTES_RECEIVERS_H
#define FUZZ_BYTES_RECEIVERS_H

#include <stdbool.h>
#include <stdint.h>

enum { FRAMES = 5, ROOM = 60 };

/* What a frame is, by its header. */
struct frame_content {
    bool is_message;
    uint8_t type; /* of a message */
    const uint8_t *bytes;
    uint8_t length;
};
void frame_read(const uint8_t *frame, struct frame_content *content);

/* A frame has come. Returns whether there is room for it in its receiver's queue. */
bool receivers_expect(const uint8_t *frame);

/* Takes what is first in a receiver's queue, by one of the calls, and compares it with what must
 * be there. Returns whether there was anything. */
bool receivers_take(unsigned index);
void receivers_take_some(void);
void receivers_take_all(void);

/* How many frames are in them. */
unsigned receivers_held(void);

#endif
