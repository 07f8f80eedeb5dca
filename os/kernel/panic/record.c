/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The end: record, speak, reset or halt. Runs with interrupts off, on the kernel's stack from its
 * top, and trusts nothing but this code.
 */
#include "kernel/panic/panic.h"

#include "arch/arch.h"

struct panic_record panic_record __attribute__((section(".noinit")));

static uint32_t check_of(const struct panic_record *record)
{
    const uint32_t *word = (const uint32_t *)record;
    uint32_t check = 0;
    for (; word < &record->check; word++) {
        check ^= *word;
    }
    return check;
}

const struct panic_record *panic_last(void)
{
    bool valid = panic_record.magic == PANIC_MAGIC && panic_record.check == check_of(&panic_record);
    return valid ? &panic_record : 0;
}

static size_t kernel_stack_free(void)
{
    return stack_free(kernel_stack_bottom, (size_t)(kernel_stack_top - kernel_stack_bottom));
}

/* Speaks in programs that can. */
__attribute__((weak)) void panic_print(const struct panic_record *record);

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
    record->thread = 0;
    record->pc = place->pc;
    record->lr = place->lr;
    record->sp = place->sp;
    record->status = place->status;
    record->detail = detail;
    record->stack_free = 0;
    record->kernel_free = kernel_stack_free();
    if (panic_of_thread != 0) {
        panic_of_thread(&panic_record);
    }
    panic_record.check = check_of(&panic_record);
    panic_recorded();
    if (panic_print != 0) {
        panic_print(&panic_record);
    }
    if (panic_halts) {
        arch_halt();
    }
    arch_reset();
}
