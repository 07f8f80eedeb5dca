/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The end: record, report, reset or halt. Runs with interrupts off, on the kernel's stack from its
 * top, and trusts nothing but this code.
 *
 * The record is valid before anything is read that the program may have broken. What is added
 * then are single words outside of the check, so it stays valid whatever happens. A panic inside a
 * panic ends it at once; one that hangs, or locks the processor up, is ended by the watchdog.
 */
#include "kernel/panic/panic.h"

#include "arch/arch.h"
#include "chip/chip.h"

struct panic_record panic_record __attribute__((section(".noinit")));

/* PANIC_MAGIC while a panic is under way. */
static uint32_t under_way;

/* Exclusive or of all words up to `check`, inclusive: 0 if `check` holds that of the others. */
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
    const struct panic_record *record = &panic_record;
    return record->magic == PANIC_MAGIC && sum_of(record) == 0 ? record : 0;
}

bool panic_is_under_way(void)
{
    return under_way == PANIC_MAGIC;
}

static size_t kernel_stack_free(void)
{
    return stack_free(kernel_stack_bottom, (size_t)(kernel_stack_top - kernel_stack_bottom));
}

/* For programs without threads. */
__attribute__((weak)) uint32_t panic_thread(void)
{
    return 0;
}

__attribute__((weak)) uint32_t panic_stack_free(const struct panic_record *record)
{
    (void)record;
    return 0;
}

/* For programs without a console. */
__attribute__((weak)) void panic_print(const struct panic_record *record)
{
    (void)record;
}

__attribute__((noinline)) void panic_recorded(void)
{
    __asm__ volatile("");
}

/* A mote in the field restarts. */
__attribute__((weak)) _Noreturn void panic_finish(void)
{
    arch_reset();
}

__attribute__((weak)) void panic_guard(void)
{
    chip_watchdog_arm();
}

/* Nothing here can fault or wait. */
static void enter(struct panic_record *record, uint32_t reason, uint32_t detail,
                  const struct arch_place *place)
{
    record->count = panic_last() != 0 ? record->count + 1 : 1;
    record->magic = PANIC_MAGIC;
    record->reason = reason;
    record->thread = panic_thread();
    record->pc = place->pc;
    record->lr = place->lr;
    record->sp = place->sp;
    record->status = place->status;
    record->detail = detail;
    record->stack_free = 0;
    record->kernel_free = 0;
    record->check = 0;
    record->check = sum_of(record);
}

_Noreturn void panic_end(uint32_t reason, uint32_t detail, const struct arch_place *place)
{
    struct panic_record *record = &panic_record;
    __asm__("" : "+r"(record)); /* its words are reached from there, which takes less code */
    if (panic_is_under_way()) {
        panic_finish();
    }
    under_way = PANIC_MAGIC;
    enter(record, reason, detail, place);
    panic_guard();
    record->kernel_free = kernel_stack_free();
    record->stack_free = panic_stack_free(record);
    panic_recorded();
    panic_print(record);
    panic_finish();
}
