/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The end of a program that failed, and the record it leaves behind.
 *
 * Firmware never hangs or resets silently. A fault, a failed assertion, a stack overflow or a call
 * from the wrong context writes a record into memory that start-up does not clear, reports it on
 * the console if one is linked, by polling, and then resets (or halts, with PANIC_HALT). After a
 * reset the record stays until it is forgotten. Assertions carry no text: the program counter
 * identifies the line in the image's debug information.
 *
 * The memory of a program that failed may be corrupt. The record is valid before any of that memory
 * is read, a fault during the panic resets at once, and the watchdog resets a panic that hangs: at
 * most 2.1 seconds after the record, or when the program's own watchdog expires
 * (lichen/watchdog.h). With PANIC_HALT the watchdog is stopped instead.
 */
#ifndef LICHEN_PANIC_H
#define LICHEN_PANIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lichen/loaded.h>

enum panic_reason {
    PANIC_ASSERT = 1,       /* assert() failed, or panic() was called; detail: its argument */
    PANIC_FAULT = 2,        /* the processor faulted; on AVR, a pointer that is 0 was called */
    PANIC_STACK = 3,        /* a thread's stack overflowed; detail: its limit */
    PANIC_KERNEL_STACK = 4, /* the kernel's stack came too near its end; detail: the limit */
    PANIC_CONTEXT = 5,      /* a call that only threads may make; detail: vector of the caller */
    PANIC_INTERRUPT = 6,    /* an interrupt without a handler; detail: its vector, 0 on AVR */
    PANIC_WATCHDOG = 7,     /* the watchdog's limit has passed; detail: the channel not fed */
    PANIC_DEADLOCK = 8,     /* threads would wait for each other for ever; detail: the last mutex */
};

/* "LPAN"; on AVR, its lower half. */
#define PANIC_MAGIC ((uintptr_t)0x4c50414e)

/* The record of a panic. Its words are as wide as a pointer: 32 bits, and 16 on AVR, where magic
 * and check are still 32 bits that memory does not hold by chance after power-up. The last two
 * words are entered when the rest is already valid. */
struct panic_record {
    uintptr_t magic;       /* PANIC_MAGIC: the rest is valid */
    uintptr_t reason;      /* enum panic_reason */
    uintptr_t thread;      /* address of the thread's control block; 0 before threads run */
    uintptr_t pc;          /* where; on AVR in words, like a pointer to a function */
    uintptr_t lr;          /* the caller, as far as the link register shows */
    uintptr_t sp;          /* stack pointer at that place */
    uintptr_t status;      /* processor status; its exception number tells thread (0) or handler */
    uintptr_t detail;      /* as the reason says */
    uintptr_t count;       /* panics since power was applied, or the last was forgotten */
    uintptr_t check;       /* exclusive or of all words above */
    uintptr_t stack_free;  /* bytes of the thread's stack that were never touched, 0: not known */
    uintptr_t kernel_free; /* the same of the kernel's stack */
};

/* Ends the program here, and does not return.
 * detail    for the record
 * context   any
 * blocks    no
 */
_Noreturn void panic(uintptr_t detail);

/* The record left by a program that ended in a panic before this start.
 * returns   the record, valid and complete, or 0
 * context   any
 * blocks    no
 */
const struct panic_record *panic_last(void);

/* Discards the record.
 * context   init, thread
 * blocks    no
 */
void panic_forget(void);

/* A reason as text.
 * returns   constant text; "unknown reason" for any other number
 * context   any
 * blocks    no
 */
const char *panic_reason_text(uintptr_t reason);

/* Writes a record with panic_write, if there is one. The panic itself does so from any context, by
 * polling.
 * context   event, thread
 * blocks    yes in a thread; an event never waits, and bytes that do not fit are dropped
 *           cost  some 250 characters, 20 ms at 115,200 baud
 */
void panic_print(const struct panic_record *record);

/* Whether a panic is under way: interrupts are then masked for ever.
 * returns   true in a panic_write that has to poll
 * context   any
 * blocks    no
 */
bool panic_is_under_way(void);

/* Writes text for panic_print: by polling in a panic, which may come from any context, otherwise as
 * the driver writes all text. A console driver provides it; without one a panic leaves only the
 * record.
 * context   event, thread
 * blocks    yes in a thread; an event never waits
 */
__attribute__((weak)) void panic_write(const char *text, size_t length);

/* Opens the definition of panic_write, and makes panics use it. */
#define PANIC_WRITE(text, length)                                                                  \
    NOT_LOADED(PANIC_WRITE, );                                                                     \
    DECLARATION_NEEDS(panic_reason_text);                                                          \
    void panic_write(const char *text, size_t length)

/* What happens after the record. A program that says PANIC_HALT in one of its files stops where a
 * debugger finds it; every other program resets.
 */
#define PANIC_HALT                                                                                 \
    NOT_LOADED(PANIC_HALT, );                                                                      \
    DECLARATION_NEEDS(panic_halts) /* os/kernel/panic/halts.c */

#endif
