/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Parts of the kernel that have something to do at start-up. */
#ifndef KERNEL_START_H
#define KERNEL_START_H

typedef void start_fn(void);

/* Has `function` called once, with interrupts masked, after chip and board are initialised, in no
 * particular order: a start relies on no other. A part
 * that no program needs is not linked, and neither is its place in the table.
 */
#define START(function)                                                                            \
    static start_fn *const function##_start                                                        \
        __attribute__((section(".lichen.start." #function), used)) = (function)

/* Brings the part of the kernel that defines `symbol` into every program that has this file. */
#define NEEDS(symbol) __asm__(".global " #symbol)

#endif
