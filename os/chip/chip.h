/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip must provide: the only names the kernel uses of it.
 *
 * A chip is a folder beside this file. It holds the vector table of its
 * peripherals, the memory map for the linker, the clock tree, the sleep modes
 * and, in headers of their own, the on-chip peripherals for drivers. One header,
 * chip_impl.h, is found on the include path and defines the names marked [impl].
 *
 * Two clocks are all that the kernel knows of: the tick, 32,768 a second, which
 * runs in every sleep mode, and the processor's.
 */
#ifndef CHIP_CHIP_H
#define CHIP_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include <chip_impl.h>

struct exception_frame;

/* [impl] CHIP_SLEEP_MODES     how many sleep modes there are; 0 is the lightest, each next one
 *                             is deeper, saves more and stops more
 * [impl] enum chip_clock      frequencies of the processor: CHIP_CLOCK_8_MHZ ...
 * [impl] CHIP_SLEEP_<name>    a name per mode, for the limits that drivers set
 *                             (SAM R21: IDLE0, IDLE1, IDLE2, STANDBY; ATmega: IDLE, ...)
 */

/* Ticks a second of the clock that never stops. */
#define CHIP_TICK_HZ 32768u

/* A reading of the tick counter takes up to so many ticks. */
#define CHIP_READING_TICKS 6u

/* An alarm comes at most so many ticks after its tick, or after the call that sets it for the past,
 * from the moment on at which no interrupt and nothing at the kernel level holds it up. */
#define CHIP_ALARM_LATE_TICKS 24u

/* Brings the chip up: the processor at its boot frequency, every interrupt off at its source.
 * Called once, after memory is initialised.
 * context   init
 */
void chip_init(void);

/* Starts the tick, counting from 0, with the alarm off. Called once, after chip_init, in programs
 * that have a use for it.
 * context   init
 */
void chip_ticks_start(void);

/* Asks for a reading of the tick counter, which takes as long as two clock domains need to agree.
 * context   event; thread in programs without a kernel level, as all calls of the tick
 * blocks    no       cost  no bus stall
 */
void chip_ticks_request(void);

/* True while the reading is under way; interrupts run meanwhile.
 * context   any
 */
bool chip_ticks_pending(void);

/* The reading: ticks since start-up, in 64 bits. Waits if it, or what was asked for since, is still
 * under way. The chip counts the wraps of its counter by an interrupt of the drivers' level,
 * however long the kernel level is held up; only a handler of an interrupt that lasts for a whole
 * wrap, 36 hours on the SAM R21, hides one. returns   the count at some moment after the request;
 * never less than one before context   event blocks    no       cost  up to 190 us on the SAM R21
 * right after the request, 380 if the alarm has just been set; no bus stall
 */
uint64_t chip_ticks_take(void);

/* Asks for a reading as well, for which nobody waits: kernel_ticks() is called with it at the
 * kernel level. One that is under way serves, if it is known to be young; one that has ended is
 * handed to kernel_ticks() inside this call, for those who asked before.
 * returns   how old the reading may be, in ticks, at the time of this call: 0, or
 *           CHIP_READING_TICKS
 * context   event
 * blocks    no       cost  no bus stall; some short interrupts in the 400 us after it, and no deep
 *                          sleep meanwhile
 */
uint32_t chip_ticks_await(void);

/* Sets the one alarm; an earlier setting is forgotten. When the tick counter has reached `tick`,
 * however far ahead it is, kernel_alarm() is called at the kernel level, not inside this call.
 * tick      earlier than that of an alarm which has not come: the chip need not tell a match of the
 *           old one, in the moment in which it is replaced, from one of the new one
 * An alarm comes late by up to CHIP_ALARM_LATE_TICKS and what holds up its steps, never early, and
 * is never lost. Wakes from every sleep mode.
 * context   event
 * blocks    no       cost  no bus stall and no waiting; some short interrupts in the 600 us after
 *                          it, and no deep sleep meanwhile
 */
void chip_alarm_set(uint64_t tick);

/* Chooses the sleep mode that the processor's next wait for interrupt enters.
 * mode      below CHIP_SLEEP_MODES
 * context   event
 * blocks    no       cost  no bus stall
 */
void chip_sleep_select(uint8_t mode);

/* Lets the requests of an interrupt vector through to its handler, at a level. At start-up, or
 * while they are disabled.
 * vector    a number of the chip's table; lichen/rt.h knows it as interrupt_vector_<name>
 * context   init, event, thread
 */
void chip_interrupt_enable(unsigned vector, uint8_t level);

/* The deepest sleep mode from which the processor is back within a time.
 * wake_us   asserts that the lightest mode's is not longer
 * returns   below CHIP_SLEEP_MODES
 * context   init
 */
uint8_t chip_sleep_within(uint16_t wake_us);

/* Changes the processor's clock, wait states included. Peripherals that run from it must be
 * told by their drivers. Of two that change it at once each one's change is whole.
 * context   init, event, thread, coop
 */
void chip_clock_set(enum chip_clock clock);

/* The processor's clock.
 * returns   Hz
 * context   any
 */
uint32_t chip_clock_hz(void);

/* Counts cycles of the processor's clock, in 32 bits that wrap; stands still while that clock does.
 * Reading it costs a load. For programs that count the CPU time of threads; a chip says what it
 * gives for it.
 * context   any
 */
extern const volatile uint32_t chip_cycle_counter;

/* Starts it. Calls kernel_cycles_half() each time that it has gone through half of its range.
 * context   init
 */
void chip_cycle_counter_start(void);

/* The watchdog of a panic: resets the chip some seconds from now, whatever the program does. One
 * that runs already starts its time anew.
 * context   any, interrupts masked
 * blocks    no
 */
void chip_watchdog_arm(void);

/* Stops the watchdog, if it can be stopped.
 * context   any, interrupts masked
 * blocks    no       cost  a bus stall of 6 ms if the watchdog is busy
 */
void chip_watchdog_stop(void);

/* Starts the watchdog for good: kernel_watchdog() is called at level 0 each time that a length of
 * time has passed, and if that does not let it go on, the chip is reset after as much again. It
 * runs in every sleep mode, and the call wakes from it.
 * milliseconds  at least so long, at most twice; up to CHIP_WATCHDOG_MAX_MS
 * context   init, once
 */
void chip_watchdog_start(uint32_t milliseconds);

/* The longest time that the watchdog waits by itself. */
#define CHIP_WATCHDOG_MAX_MS 8000u

/* -------- what a board provides, called once after chip_init: its outputs at rest */
void board_init(void);

/* -------- what the kernel provides to the chip */

/* The alarm's tick is reached. Called at the kernel level, once per alarm set.
 * reached   the alarm's tick, or a later one that is known to be reached
 */
void kernel_alarm(uint64_t reached);

/* The reading that chip_ticks_await() asked for. Called at the kernel level.
 * read      the count at some moment after the request; how long ago that was is not known
 */
void kernel_ticks(uint64_t read);

/* The processor's clock becomes `hz`: called by chip_clock_set() before it becomes slower and after
 * it has become faster, unless it is 0, in a program that has no use for it.
 * context   event
 */
__attribute__((weak)) void kernel_clock_changes(uint32_t hz);

/* The watchdog's time has passed. Called by the chip's handler at level 0, in programs that start
 * it.
 *
 * interrupted  what the handler has interrupted
 */
void kernel_watchdog(const struct exception_frame *interrupted);

/* The cycle counter has gone through half of its range. Called at the kernel level. */
void kernel_cycles_half(void);

#endif
