/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Work to be done once, before the first thread runs.
 *
 *     static void console_start(void) { ... }
 *     INIT(console_start);
 *
 * The functions run one after the other as one event, in no particular order, after the chip and
 * the board are initialised: what an event may call, they may call. Interrupts that they enable
 * come at once; what those post is kept until all of them have run.
 */
#ifndef LICHEN_INIT_H
#define LICHEN_INIT_H

typedef void init_fn(void);

/* Declares `function` as such work. The relocation, which changes nothing, brings the event that
 * runs it into the program (os/kernel/init.c).
 */
#define INIT(function)                                                                             \
    static init_fn *const function##_init                                                          \
        __attribute__((section(".lichen.init." #function), used)) = (function);                    \
    __asm__(".pushsection .lichen.init." #function ",\"a\",%progbits\n"                            \
            ".reloc 0, R_ARM_NONE, init_event\n"                                                   \
            ".popsection")

#endif
