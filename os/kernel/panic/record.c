/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The end: record, speak, reset or halt. Runs with interrupts off, on the kernel's stack from its
 * top, and trusts nothing but this code.
 */
#include "kernel/panic/panic.h"

#include <lichen/kernel.h>
#include <lichen/thread.h>

#include "arch/arch.h"
#include "kernel/thread/thread.h"

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

static uint32_t thread_free(const struct thread *thread)
{
    const ARCH_FLASH struct thread_info *info = thread_info_of(thread);
    return info != 0 ? thread_stack_free(info) : 0;
}

__attribute__((noinline)) void panic_recorded(void)
{
    __asm__ volatile("");
}

_Noreturn void panic_end(uint32_t reason, uint32_t detail, const struct arch_place *place)
{
    uint32_t count = panic_last() != 0 ? panic_record.count : 0;
    panic_record = (struct panic_record){
        .magic = PANIC_MAGIC,
        .reason = reason,
        .thread = (uint32_t)(uintptr_t)kernel.current,
        .pc = place->pc,
        .lr = place->lr,
        .sp = place->sp,
        .status = place->status,
        .detail = detail,
        .stack_free = thread_free(kernel.current),
        .kernel_free =
            stack_free(kernel_stack_bottom, (size_t)(kernel_stack_top - kernel_stack_bottom)),
        .count = count + 1,
    };
    panic_record.check = check_of(&panic_record);
    panic_recorded();
    panic_print(&panic_record);
    if (panic_halts) {
        arch_halt();
    }
    arch_reset();
}
