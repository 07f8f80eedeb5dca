/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the model's parts share. */
#ifndef FUZZ_LINKER_MODEL_H
#define FUZZ_LINKER_MODEL_H

#include "linker.h"

struct input {
    const uint8_t *bytes;
    size_t at, length;
};

/* Takes a byte, if there is one. */
static inline bool take(struct input *input, unsigned *byte)
{
    if (input->at == input->length) {
        return false;
    }
    *byte = input->bytes[input->at++];
    return true;
}

static inline unsigned u16(const uint8_t *bytes)
{
    return bytes[0] | (unsigned)bytes[1] << 8;
}

/* Reads header, name and records.
 * groups    set to those that it declares, a bit each
 */
enum load_error model_header(struct input *input, uint16_t *groups);

#endif
