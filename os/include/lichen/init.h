/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Work to be done once, before the first thread runs.
 *
 *     static void console_start(void) { ... }
 *     INIT(console_start);
 *
 * The functions run after the chip and the board are initialised, in no particular order among
 * each other, on the kernel stack, with no thread to wait in. Interrupts that they
 * enable come at once; what those post is kept until the kernel runs.
 */
#ifndef LICHEN_INIT_H
#define LICHEN_INIT_H

typedef void init_fn(void);

#define INIT(function)                                                                             \
    static init_fn *const function##_init                                                          \
        __attribute__((section(".lichen.init." #function), used)) = (function)

#endif
