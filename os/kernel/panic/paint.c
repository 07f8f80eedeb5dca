/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How much of a stack has ever been used: what lies below still carries the paint of start-up. */
#include "kernel/panic/panic.h"

#include "arch/arch.h"

size_t stack_free(const uint8_t *begin, size_t bytes)
{
    const arch_word_t *word = (const arch_word_t *)(const void *)begin;
    const arch_word_t *end = (const arch_word_t *)(const void *)(begin + bytes);
    while (word < end && *word == (arch_word_t)ARCH_STACK_PAINT) {
        word++;
    }
    return (size_t)((const uint8_t *)word - begin);
}
