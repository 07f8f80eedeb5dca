/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a mote answers its leaves: DISSEMINATION_PARENT links it. A leaf that has another object
 * than this mote listens for a moment, so it is told at once, whatever else goes on. */
#include "service/dissemination/dissemination.h"

static struct dissemination *const self = &dissemination_state;

static __attribute__((noinline)) void answer(uint8_t *bytes)
{
    uint16_t tag = (uint16_t)(bytes[2] << 8 | bytes[3]);

    if (self->have > 0 && tag != dissemination_tag(&self->object)) {
        dissemination_announce_now(bytes);
    }
}

/* It needs hardly any stack: below it, parts are written. */
void dissemination_handle_of_parent(uint16_t source, uint8_t *bytes, uint8_t length)
{
    if (length == QUESTION_BYTES && bytes[0] == KIND_QUESTION >> 8) {
        answer(bytes);
    } else {
        dissemination_handle_usual(source, bytes, length);
    }
}
