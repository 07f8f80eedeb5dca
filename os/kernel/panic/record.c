/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The end: record, report, reset or halt. Runs with interrupts off, on the kernel's stack from its
 * top, and trusts nothing but this code.
 *
 * The record is valid before anything is read that the program may have broken. What is added
 * then are single words outside of the check, so it stays valid whatever happens. A panic inside a
 * panic ends it at once. What is here reads only what can be read, and ends; what prints the record
 * has a watchdog of its own.
 */
#include "kernel/panic/panic.h"

#include "arch/arch.h"
#include "kernel/start.h"

NEEDS(arch_reset); /* what follows, unless the program says PANIC_HALT */

/* Words of the record. */
#define CHECKED_WORDS (offsetof(struct panic_record, check) / sizeof(uintptr_t) + 1u)
#define WORDS         (sizeof(struct panic_record) / sizeof(uintptr_t))

struct panic_record panic_record __attribute__((section(".noinit")));

/* The record while a panic is under way; otherwise 0. What corrupts memory sets a flag more easily
 * than this address. */
static struct panic_record *under_way;

/* Exclusive or of all words up to `check`, inclusive: 0 if `check` holds that of the others. */
static __attribute__((noinline)) uintptr_t sum(void)
{
    const uintptr_t *word = &panic_record.magic;
    uintptr_t sum = 0;
    for (uint8_t left = CHECKED_WORDS; left > 0; left--) {
        sum ^= *word++;
    }
    return sum;
}

const struct panic_record *panic_last(void)
{
    const struct panic_record *record = &panic_record;
    return record->magic == PANIC_MAGIC && sum() == 0 ? record : 0;
}

void panic_forget(void)
{
    panic_record.magic = 0;
}

bool panic_is_under_way(void)
{
    return under_way == &panic_record;
}

/* For programs that lack the part. */
void panic_nothing(void)
{
}

/* How much of a stack has ever been used: what lies below still carries the paint of start-up. */
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

/* Nothing here can fault or wait, nor in what the architecture does next. */
struct panic_record *panic_begin(void)
{
    struct panic_record *record = &panic_record;
    if (under_way == record) {
        panic_finish();
    }
    under_way = record;
    __asm__("" : "+r"(record)); /* else AVR has its address in each instruction, 2 bytes longer */
    uintptr_t count = 1;
    /* As in panic_last: of a common function the compiler would make a value of the condition. */
    if (record->magic == PANIC_MAGIC && sum() == 0) {
        count += record->count;
    }
    uintptr_t *word = &record->magic;
    for (uint8_t left = WORDS; left > 0; left--) {
        *word++ = 0;
    }
    record->count = count;
    return record;
}

/* The record is complete at panic_recorded: a place for a breakpoint, where a debugger or simulator
 * finds every panic of every build. */
__attribute__((noinline, noclone)) _Noreturn void panic_end(struct panic_record *record)
{
    panic_thread();
    record->magic = PANIC_MAGIC;
    record->check = sum();
    record->kernel_free = panic_stack_left(kernel_stack_bottom, kernel_stack_top);
    panic_stack_free();
    __asm__ volatile(".global panic_recorded\n"
                     ".type panic_recorded, %%function\n"
                     "panic_recorded:" ::
                         : "memory");
    panic_report();
    panic_finish();
}
