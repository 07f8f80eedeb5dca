/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The record in words, for a serial port. One line of text, one of numbers:
 *
 *     panic: assertion failed in thread philosopher_2
 *     panic: pc=00000a4e lr=00000000 sp=20000d38 status=00000000 detail=00000000 ...
 */
#include "kernel/panic/panic.h"

#include "arch/arch.h"
#include "chip/chip.h"

const char *panic_reason_text(uintptr_t reason)
{
    switch (reason) {
    case PANIC_ASSERT:
        return ARCH_TEXT("assertion failed");
    case PANIC_FAULT:
        return ARCH_TEXT("processor fault");
    case PANIC_STACK:
        return ARCH_TEXT("stack overflow");
    case PANIC_KERNEL_STACK:
        return ARCH_TEXT("kernel stack overflow");
    case PANIC_CONTEXT:
        return ARCH_TEXT("blocking call outside of a thread");
    case PANIC_INTERRUPT:
        return ARCH_TEXT("interrupt without handler");
    case PANIC_WATCHDOG:
        return ARCH_TEXT("watchdog not fed");
    case PANIC_DEADLOCK:
        return ARCH_TEXT("deadlock");
    default:
        return ARCH_TEXT("unknown reason");
    }
}

/* Bound on a thread's name, which may be corrupt. */
#define NAME_MAX 32u

static void write_text(const char *text)
{
    size_t length = 0;
    while (arch_text(&text[length]) != '\0') {
        length++;
    }
    panic_write(text, length);
}

static void write_number(const char *name, uint32_t number)
{
    const char *all = ARCH_TEXT("0123456789abcdef");
    char digits[8];
    for (unsigned i = 0; i < sizeof(digits); i++) {
        digits[i] = arch_text(&all[number >> 28]);
        number <<= 4;
    }
    write_text(name);
    panic_write(digits, sizeof(digits));
}

/* Names need not be aligned, but readable words must be. */
static void write_name(const char *name)
{
    size_t length = 0;
    uintptr_t words = (uintptr_t)name & ~(uintptr_t)3;
    if (arch_can_read((const void *)words, NAME_MAX)) {
        while (length < NAME_MAX - 3 && arch_text(&name[length]) != '\0') {
            length++;
        }
    }
    panic_write(name, length);
}

static void write_thread(const struct panic_record *record)
{
    /* The kernel finds a deadlock in the call of a thread. */
    bool interrupt = record->reason != PANIC_DEADLOCK && ARCH_STATUS_EXCEPTION(record->status) != 0;
    if (panic_thread_name != 0) {
        write_text(interrupt ? ARCH_TEXT(" in an interrupt of ") : ARCH_TEXT(" in thread "));
        write_name(panic_thread_name(record));
    } else if (interrupt) {
        write_text(ARCH_TEXT(" in an interrupt"));
    }
}

/* What prints is a program's own, or waits for a port. */
void panic_guard_watchdog(void)
{
    chip_watchdog_arm();
}

void panic_print_text(const struct panic_record *record)
{
    if (panic_write == 0) {
        return;
    }
    write_text(ARCH_TEXT("\r\npanic: "));
    write_text(panic_reason_text(record->reason));
    write_thread(record);
    write_number(ARCH_TEXT("\r\npanic: pc="), ARCH_CODE_ADDRESS(record->pc));
    write_number(ARCH_TEXT(" lr="), record->lr);
    write_number(ARCH_TEXT(" sp="), record->sp);
    write_number(ARCH_TEXT(" status="), record->status);
    write_number(ARCH_TEXT(" detail="), record->detail);
    write_number(ARCH_TEXT(" stack_free="), record->stack_free);
    write_number(ARCH_TEXT(" kernel_free="), record->kernel_free);
    write_text(ARCH_TEXT("\r\n"));
}

void panic_report_text(void)
{
    panic_guard();
    panic_print_text(&panic_record);
}
