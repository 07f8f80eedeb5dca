/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Clock tree of the SAM R21: which clock feeds what.
 *
 *   generator 0   OSC8M or DFLL48M   processor and buses, changed by chip_clock_set
 *   generator 1   CLKM of the radio  its crystal's 1 MHz, while it is counted
 *   generator 2   32,768 Hz          RTC and edge detection, runs in every sleep mode
 *   generator 3   OSC8M              serial ports
 *   generator 4   1,024 Hz           watchdog, runs in every sleep mode
 *
 * Generator 3 does not follow the processor, so baud rates stay the same while the processor's
 * clock changes. Generator 4 runs from the internal oscillator, which nothing stops, so the
 * watchdog keeps running if a crystal fails.
 */
#ifndef SAMR21_CLOCK_H
#define SAMR21_CLOCK_H

#include <stdint.h>

#include <chip_impl.h>

enum clock_generator {
    CLOCK_PROCESSOR = 0,
    CLOCK_CRYSTAL = 1,
    CLOCK_32K = 2,
    CLOCK_8M = 3,
    CLOCK_1K = 4,
};

enum {
    CLOCK_8M_HZ = 8000000,
};

/* Brings the processor to 8 MHz. */
void clock_init(void);

/* The processor's clock, written by clock_begin alone. */
extern volatile enum chip_clock clock_processor;

/* The processor's clock from now on, before anything has to be told.
 * context   init
 */
void clock_begin(enum chip_clock clock);

/* Has `function` called once at start-up, before the functions that START names. A generator that
 * the program does not need is not started, and its entry in the table is not linked. */
#define CLOCK_START(function)                                                                      \
    static void (*const function##_clock)(void)                                                    \
        __attribute__((section(".lichen.clock." #function), used)) = (function);                   \
    __asm__(".global kernel_has_starts") /* os/kernel/starts.c */

/* Links a generator (clock_32k, clock_8m) into every program that links this file. */
#define CLOCK_NEEDS(symbol) __asm__(".global " #symbol)

/* Starts a generator, from `source` (GCLK_SRC_...). At start-up. */
void clock_generator_start(enum clock_generator generator, unsigned source, unsigned divider);

/* Switches a running generator to another source. */
void clock_generator_run(enum clock_generator generator, unsigned source);

/* Starts the generator of 1,024 Hz and feeds the watchdog from it, which takes 5 ms. Generators
 * must not be changing. */
void clock_start_watchdog(void);

/* Stops a generator that feeds nothing. */
void clock_generator_stop(enum clock_generator generator);

/* Feeds the clock `gclk_id` (GCLK_ID_...) from `generator`. */
void clock_connect(unsigned gclk_id, enum clock_generator generator);

/* Feeds it no longer. */
void clock_disconnect(unsigned gclk_id);

#endif
