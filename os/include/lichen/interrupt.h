/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupt handlers, bound by name at link time.
 *
 *     INTERRUPT(SERCOM0) { ... clear the cause, take the byte, post ... }
 *
 * The name is the vector's in the chip's table. Nothing is registered at run time, and an interrupt
 * without a handler is a panic that names it. The table ends after the last vector that has a
 * handler in the program, and enabling a later one asserts. A handler runs at the level at which
 * its driver enabled it, and must post with that level.
 *
 * On the ATmega128 an interrupt that arrives while a thread calls the kernel is deferred, and the
 * exit of another one may call its handler in the middle of that call, even if the call has
 * disabled the source meanwhile. So a driver whose calls and handler change the same variables
 * needs a flag that tells the handler to leave them alone.
 */
#ifndef LICHEN_INTERRUPT_H
#define LICHEN_INTERRUPT_H

#include <lichen/arch.h>
#include <lichen/loaded.h>

/* Levels: smaller is more urgent. The last is the kernel's own. */
#define LEVEL_DRIVER ARCH_LEVEL_DRIVER
#define LEVEL_KERNEL ARCH_LEVEL_KERNEL

/* Opens the handler of a vector. */
#define INTERRUPT(vector)                                                                          \
    NEVER_LOADED("a loaded program has no INTERRUPT; its image has the drivers");                  \
    ARCH_INTERRUPT(vector)

#endif
