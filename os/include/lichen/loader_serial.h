/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs that come over the serial console, beside what is typed there.
 *
 *     LOADER(PRIORITY_LOW);
 *     LOADER_SERIAL(PRIORITY_LOW);
 *
 * makes an image take programs (lichen/loader.h) from `lichen load`, and be asked for them and told
 * about them by `lichen ps`, `start`, `stop` and `remove`. Their frames (doc/spec/loading.md) share
 * the line with the text of the console: console_read and the shell do not see them. In such an
 * image nobody reads the character 0x02, which begins a frame, and what follows it up to the next
 * line's end.
 *
 * The mote listens all the time: on the ATmega128 it sleeps no deeper than in idle mode
 * (lichen/console.h). What is typed while a page of flash is written may be lost: 46 bytes at
 * 57,600 baud on the ATmega128. Frames are repeated.
 */
#ifndef LICHEN_LOADER_SERIAL_H
#define LICHEN_LOADER_SERIAL_H

#include <lichen/arch.h>
#include <lichen/loader.h>
#include <lichen/thread.h>

/* For its thread, which links programs as they come. */
#define LOADER_SERIAL_STACK (ARCH_FLASH_IS_APART ? 320u : 576u)

/* Declares the thread, once in a program.
 * urgency   its priority
 */
#define LOADER_SERIAL(urgency)                                                                     \
    THREAD(loader_serial, LOADER_SERIAL_STACK, urgency)                                            \
    {                                                                                              \
        loader_serial_run();                                                                       \
    }                                                                                              \
    _Static_assert(1, "")

/* The body of the thread that LOADER_SERIAL declares.
 * context   thread
 * blocks    yes
 */
_Noreturn void loader_serial_run(void);

#endif
