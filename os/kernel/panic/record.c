/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The end: record, speak, reset or halt. Runs with interrupts off, on the kernel's stack from its
 * top, and trusts nothing but this code.
 */
#include "kernel/panic/panic.h"

#include "arch/arch.h"

struct panic_record panic_record __attribute__((section(".noinit")));

/* Of all words; 0 if `check` is that of the others. */
static __attribute__((noinline)) uint32_t sum_of(const struct panic_record *record)
{
    const uint32_t *word = (const uint32_t *)record;
    uint32_t sum = 0;
    for (; word <= &record->check; word++) {
        sum ^= *word;
    }
    return sum;
}

const struct panic_record *panic_last(void)
{
    bool valid = panic_record.magic == PANIC_MAGIC && sum_of(&panic_record) == 0;
    return valid ? &panic_record : 0;
}

static size_t kernel_stack_free(void)
{
    return stack_free(kernel_stack_bottom, (size_t)(kernel_stack_top - kernel_stack_bottom));
}

/* What programs without threads enter. */
__attribute__((weak)) void panic_of_thread(struct panic_record *record)
{
    record->thread = 0;
    record->stack_free = 0;
}

/* What programs say that have no words. */
__attribute__((weak)) void panic_print(const struct panic_record *record)
{
    (void)record;
}

__attribute__((noinline)) void panic_recorded(void)
{
    __asm__ volatile("");
}

_Noreturn void panic_end(uint32_t reason, uint32_t detail, const struct arch_place *place)
{
    struct panic_record *record = &panic_record;
    record->count = panic_last() != 0 ? record->count + 1 : 1;
    record->magic = PANIC_MAGIC;
    record->reason = reason;
    record->pc = place->pc;
    record->lr = place->lr;
    record->sp = place->sp;
    record->status = place->status;
    record->detail = detail;
    record->kernel_free = kernel_stack_free();
    panic_of_thread(record);
    record->check = 0;
    record->check = sum_of(record);
    panic_recorded();
    panic_print(record);
    if (panic_halts) {
        arch_halt();
    }
    arch_reset();
}
