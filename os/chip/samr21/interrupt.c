/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupt lines in the Cortex-M0+'s controller (ARMv6-M Architecture Reference Manual, NVIC). */
#include "chip/samr21/interrupt.h"

#include <lichen/assert.h>

#include "chip/chip.h"

/* The table ends after the last vector that has a handler (vectors.S). */
extern const uint32_t vectors_begin[], vectors_end[];

enum {
    EXCEPTIONS = 16, /* the processor's own vectors come first */
    LINES_PER_WORD = 4,
    BITS_PER_LINE = 8,
    LEVEL_POS = 6, /* of a line's eight bits, the upper two are there */
};

/* Tools read from its calls which interrupts are enabled at which levels. */
__attribute__((noinline, noclone, used)) void chip_interrupt_enable(unsigned vector, uint8_t level)
{
    struct shared_register *word = &NVIC_IPR[vector / LINES_PER_WORD];
    unsigned shift = vector % LINES_PER_WORD * BITS_PER_LINE + LEVEL_POS;

    assert(vectors_begin + EXCEPTIONS + vector < vectors_end);
    shared_register_update(word, 3u << shift, (uint32_t)level << shift);
    NVIC_ISER = UINT32_C(1) << vector;
}
