/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The chip's serial number: 128 bits, four words (SAM R21 data sheet, section Serial Number). */
#include "chip/serial_number.h"

#include <stdbool.h>

#include <lichen/error.h>
#include <lichen/serial_number.h>

enum {
    WORDS = 4,
};

_Static_assert(SERIAL_NUMBER_BYTES == WORDS * 4, "a word is four bytes");

static const uint32_t volatile *const words[WORDS] = {
    (const uint32_t volatile *)0x0080A00C,
    (const uint32_t volatile *)0x0080A040,
    (const uint32_t volatile *)0x0080A044,
    (const uint32_t volatile *)0x0080A048,
};

/* Flash that nobody has written is all ones. */
static bool is_written(void)
{
    for (unsigned i = 0; i < WORDS; i++) {
        if (*words[i] != UINT32_MAX) {
            return true;
        }
    }
    return false;
}

int chip_serial_number(uint8_t *number)
{
    if (!is_written()) {
        return ERR_CORRUPT;
    }
    for (unsigned i = 0; i < WORDS; i++) {
        uint32_t word = *words[i];
        for (unsigned shift = 32; shift > 0; shift -= 8) {
            *number++ = (uint8_t)(word >> (shift - 8));
        }
    }
    return 0;
}
