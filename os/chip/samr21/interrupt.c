/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupt lines in the Cortex-M0+'s controller (ARMv6-M Architecture Reference Manual, NVIC). */
#include "chip/samr21/interrupt.h"

#include "chip/chip.h"

enum {
    LINES_PER_WORD = 4,
    BITS_PER_LINE = 8,
    LEVEL_POS = 6, /* of a line's eight bits, the upper two are there */
};

void chip_interrupt_enable(unsigned vector, uint8_t level)
{
    struct shared_register *word = &NVIC_IPR[vector / LINES_PER_WORD];
    unsigned shift = vector % LINES_PER_WORD * BITS_PER_LINE + LEVEL_POS;

    shared_register_update(word, 3u << shift, (uint32_t)level << shift);
    NVIC_ISER = UINT32_C(1) << vector;
}
