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

/* An alarm set closer than twice this to now may come this late, in ticks. */
#define CHIP_ALARM_MIN_TICKS 8u

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
 * context   event
 * blocks    no       cost  no bus stall
 */
void chip_ticks_request(void);

/* True while the reading is under way; interrupts run meanwhile.
 * context   any
 */
bool chip_ticks_pending(void);

/* The reading: the tick counter's low 32 bits, which wrap every 36.4 hours. Waits if it, or what
 * was asked for since, is still under way.
 * returns   the count at some moment after the request
 * context   event
 * blocks    no       cost  up to 190 us on the SAM R21 right after the request; no bus stall
 */
uint32_t chip_ticks_take(void);

/* Asks for a reading as well, for which nobody waits: kernel_ticks() is called with it at the
 * kernel level. Asked for again before that, it is a reading after both.
 * context   event
 * blocks    no       cost  no bus stall; some short interrupts of the kernel level in the 400 us
 *                          after it, and no deep sleep meanwhile
 */
void chip_ticks_await(void);

/* Sets the one alarm; an earlier setting is forgotten. When the tick counter reaches `tick`,
 * kernel_alarm() is called at the kernel level. An alarm closer than twice CHIP_ALARM_MIN_TICKS
 * comes late by up to CHIP_ALARM_MIN_TICKS. A tick that has passed (up to 2^31 ticks ago), or
 * passes while interrupts hold up the setting, fires as soon as that is known: an alarm comes late,
 * never early, and is never lost. Wakes from every sleep mode. left      so many ticks are left, to
 * the caller's knowledge; 0 if nothing is known. With some, the counter need not be asked first
 * context   event
 * blocks    no       cost  no bus stall and no waiting: 140 cycles [bench kernel/timer], and some
 *                          short interrupts of the kernel level in the 400 us after it, or
 *                          until it fires if it is near; no deep sleep meanwhile
 */
void chip_alarm_set(uint32_t tick, uint32_t left);

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
 * told by their drivers.
 * context   init, thread
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

/* -------- what a board provides, called once after chip_init: its outputs at rest */
void board_init(void);

/* -------- what the kernel provides to the chip */

/* The alarm's tick is reached. Called by the chip's handler at the kernel level, once per alarm
 * set, after it has cleared its cause.
 * reached   the alarm's tick, or a later one that is known to be reached
 */
void kernel_alarm(uint32_t reached);

/* The reading that chip_ticks_await() asked for. Called by the chip's handler at the kernel level.
 * read      the count at some moment after the request, up to CHIP_READING_TICKS ago
 */
void kernel_ticks(uint32_t read);

/* The cycle counter has gone through half of its range. Called at the kernel level. */
void kernel_cycles_half(void);

#endif
