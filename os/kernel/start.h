/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Parts of the kernel that have something to do at start-up. */
#ifndef KERNEL_START_H
#define KERNEL_START_H

typedef void start_fn(void);

/* Calls `function` once, with interrupts masked, after chip, board and the chip's clocks are
 * initialised; the order is unspecified, and no function relies on another. A part that a program
 * does not need is not linked, and neither is its entry in the table.
 */
#define START(function)                                                                            \
    NEEDS(kernel_has_starts);                                                                      \
    static start_fn *const function##_start                                                        \
        __attribute__((section(".lichen.start." #function), used)) = (function)

/* Pulls the part of the kernel that defines `symbol` into every program that links this file. Some
 * symbols are constants that nothing reads: they exist so that a declaration can name a file.
 */
#define NEEDS(symbol) __asm__(".global " #symbol)

/* Calls all of them, in programs that have any.
 * context   init, once
 */
void kernel_starts(void);
void kernel_starts_all(void);
void kernel_starts_none(void);

#endif
