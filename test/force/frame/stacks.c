/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Poisons stacks, so that no uninitialised value is right by luck. */
#include "force.h"

#include <lichen/kernel.h>
#include <lichen/thread.h>

#include "arch/arch.h"
#include "kernel/thread/thread.h"
#include "force_stack.h"

FORCE_STACKS_KEEP;

/* The lowest words of a stack, whose paint shows that it never overflowed. Of the kernel's stack
 * more words are checked (kernel/power/power.c). */
#define PAINTED_WORDS        1u
#define KERNEL_PAINTED_WORDS (ARCH_STACK_RESERVE / sizeof(uint32_t))

/* By the most urgent interrupt that acts: a value that is no pointer, no small number and no end of
 * a list; the initial value of memory; and the latest possible time. */
static const uint32_t litter[] = {0xa5a5a5a5u, 0, 0xffffffffu};

/* Inlined, so that it needs no stack of its own. */
static inline __attribute__((always_inline)) void fill(uint32_t *begin, const uint32_t *end,
                                                       uint32_t value)
{
    uint32_t *word = begin;
    for (; word + 4 <= end; word += 4) { /* quickly: time passes */
        word[0] = value;
        word[1] = value;
        word[2] = value;
        word[3] = value;
    }
    for (; word + 1 <= end; word++) { /* on AVR no multiple of a word lies between */
        *word = value;
    }
}

/* The registers of an interrupted thread begin below its saved stack pointer. */
static uint32_t *saved(const struct thread *thread)
{
    uint8_t *sp = thread->sp;
    return (uint32_t *)(void *)(sp - ARCH_STACK_SPARE - (uintptr_t)sp % sizeof(uint32_t));
}

/* The memory below the calling thread's stack pointer. */
static __attribute__((noinline)) void fill_own(uint32_t value)
{
    uint8_t *bottom = thread_self()->info->stack;
    fill((uint32_t *)(void *)bottom + PAINTED_WORDS, force_stack_pointer(), value);
}

static uint32_t value_of_run(void)
{
    unsigned level = 0;
    while (level + 1 < FORCE_LEVELS && force_choice.operation[1 + level] == 0) {
        level++;
    }
    return litter[level];
}

void force_litter_threads(void)
{
    for (const ARCH_FLASH struct thread_info *info = threads_begin; info < threads_end; info++) {
        if (info->thread != thread_self()) {
            uint32_t *bottom = (uint32_t *)(void *)info->stack;
            fill(bottom + PAINTED_WORDS, saved(info->thread), value_of_run());
        }
    }
}

void force_litter_kernel(void)
{
    uint32_t value = value_of_run();
    fill((uint32_t *)(void *)idle_stack + PAINTED_WORDS, saved(&idle), value);
    fill((uint32_t *)(void *)kernel_stack_bottom + KERNEL_PAINTED_WORDS,
         (uint32_t *)(void *)kernel_stack_top, value);
    fill_own(value);
}
