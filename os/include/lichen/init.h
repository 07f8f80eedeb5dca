/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Work to be done once, before the first thread runs.
 *
 *     static void door_start(void)
 *     {
 *         gpio_input(DOOR, GPIO_PULL_UP);
 *     }
 *     INIT(door_start);
 *
 * The functions run one after the other as one event, after the chip and the board are initialised,
 * and may call everything that an event may call: what waits, such as a sensor or I2C, is for a
 * THREAD. They run in phases, in the following order; names
 * do not influence it:
 *
 *   CHIP       peripherals that several drivers need
 *   DRIVERS    what lies in os/driver, and drivers of a program: the console is opened here
 *   SERVICES   what is built on drivers for programs to use: a protocol, a log
 *   PROGRAM    the program's own work; INIT declares these
 *
 * A function may rely on what earlier phases have done. Within a phase the order is unspecified,
 * and no function may rely on another of the same phase. Calls of drivers that need no start, pins,
 * buttons, timers, LEDs, work in each phase, and so does print: output printed before the console
 * is open is sent when it opens.
 *
 * In a program that is loaded they run when it starts, before its threads, at the kernel level of
 * an image that was linked without them: together with what they call, each may use 96 bytes of
 * stack on the ATmega128, its return address included, and 192 on the SAM R21. `lichen pack` with
 * --image refuses those that may need more.
 *
 * Interrupts that the functions enable are served at once; what their handlers post is kept until
 * all functions have run.
 */
#ifndef LICHEN_INIT_H
#define LICHEN_INIT_H

#include <lichen/arch.h>
#include <lichen/loaded.h>

typedef void init_fn(void);

/* The phases, as the linker sorts them (os/kernel/flash.ld). */
#define INIT_PHASE_CHIP     "1"
#define INIT_PHASE_DRIVERS  "2"
#define INIT_PHASE_SERVICES "3"
#define INIT_PHASE_PROGRAM  "4"

/* Declares `function` as work of a phase, and links the event that runs it (os/kernel/init.c). */
#define INIT_IN(phase, function)                                                                   \
    static init_fn *const function##_init                                                          \
        __attribute__((section(".lichen.init." INIT_PHASE_##phase "." #function), used)) =         \
            (function);                                                                            \
    DECLARATION_REFERS(".lichen.init." INIT_PHASE_##phase "." #function, "init_event")

/* Declares `function` as work of the program. */
#define INIT(function) INIT_IN(PROGRAM, function)

#endif
