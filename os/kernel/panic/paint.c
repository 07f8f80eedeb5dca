/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How much of a stack has ever been used: what lies below still carries the paint of start-up. */
#include "kernel/panic/panic.h"

#include "arch/arch.h"

size_t panic_stack_left(const uint8_t *begin, const uint8_t *end)
{
    const arch_word_t *word = (const arch_word_t *)(const void *)begin;
    const arch_word_t *last = (const arch_word_t *)(const void *)end;
    size_t free = 0;
    while (word < last && *word++ == (arch_word_t)ARCH_STACK_PAINT) {
        free += sizeof(*word);
        __asm__(""
                : "+r"(free)); /* else the compiler subtracts pointers, on AVR in 10 bytes more */
    }
    return free;
}
