/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip must provide: the only names through which the kernel uses it.
 *
 * A chip is a folder beside this file. It holds the vector table of its
 * peripherals, the memory map for the linker, the clock tree, the sleep modes
 * and, in headers of their own, the on-chip peripherals for drivers. One header,
 * chip_impl.h, is found on the include path and defines the names marked [impl].
 *
 * What public headers need of it is in include/lichen/chip.h, marked [public] below.
 *
 * The kernel knows only two clocks: the tick, which runs in every sleep mode, and the processor's
 * clock.
 */
#ifndef CHIP_CHIP_H
#define CHIP_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/chip.h>

#include <chip_impl.h>

struct exception_frame;

/* [impl] enum chip_clock      frequencies of the processor: CHIP_CLOCK_8_MHZ ...
 * [impl] CHIP_CLOCK_SLOW      the frequency while nobody requests another one (lichen/clock.h),
 * [impl] CHIP_CLOCK_FAST      and the one that is requested; the same on chips with one
 */

/* [public] CHIP_SLEEP_MODES     how many sleep modes there are; 0 is the lightest, each next one is
 *                               deeper, saves more and stops more
 * [public] CHIP_SLEEP_<name>    a name per mode, for the limits that drivers set
 *                               (SAM R21: IDLE0, IDLE1, IDLE2, STANDBY; ATmega128: IDLE, ...)
 * [public] CHIP_CLOCK_CHANGES   1 if the processor's clock follows lichen/clock.h; 0 if there is
 *                               one only, or the program's manifest fixes it
 * [public] CHIP_TICK_HZ         ticks per second of the clock that never stops: a power of two, 64
 *                               to 32,768
 * [public] CHIP_LATE_TICKS      how late a deadline may be: TIME_LATE_TICKS of lichen/time.h
 * [public] RT_TIMER_A ...       vectors of timers for real-time tasks: A and B on every chip
 * [public] CHIP_RT_ACKNOWLEDGE(timer)  clears the request of a real-time task's timer
 * [public] CHIP_ADC_FULL_SCALE  raw values of analog inputs are less than this
 * [public] CHIP_SERIAL_NUMBER_BYTES  length of lichen/serial_number.h
 * [impl] CHIP_READING_TICKS     a reading of the tick counter takes up to this many ticks
 * [impl] CHIP_ALARM_LATE_TICKS  an alarm comes at most this many ticks after its tick, or after the
 *                               call that sets it to a past tick, counted from the moment at which
 *                               no interrupt and nothing at the kernel level delays it
 */
_Static_assert((CHIP_TICK_HZ & (CHIP_TICK_HZ - 1)) == 0 && CHIP_TICK_HZ >= 64 &&
                   CHIP_TICK_HZ <= 32768,
               "kernel/time and kernel/coop divide by shifts");

/* Brings the chip up: the processor at its boot frequency, every interrupt off at its source.
 * Called once, after memory is initialised.
 * context   init
 */
void chip_init(void);

/* Starts the tick, counting from 0, with the alarm off. Called once, after chip_init, in programs
 * that use it.
 * context   init
 */
void chip_ticks_start(void);

/* Requests a reading of the tick counter, which takes as long as two clock domains need to
 * synchronize.
 * context   event; thread in programs without a kernel level, as all calls of the tick
 * blocks    no       cost  no bus stall
 */
void chip_ticks_request(void);

/* True while the reading is under way; interrupts are served meanwhile.
 * context   any
 */
bool chip_ticks_pending(void);

/* The reading: ticks since start-up, in 64 bits. Waits if the reading, or anything requested after
 * it, is still under way. The chip counts the wraps of its counter in an interrupt of the drivers'
 * level, however long the kernel level is held up; only an interrupt handler that runs for a whole
 * wrap, 36 hours on the SAM R21, can hide one.
 * returns   the count at some moment after the request; never less than an earlier one
 * context   event
 * blocks    no       cost  up to 190 us on the SAM R21 right after the request, 380 us if the
 *                          alarm has just been set; no bus stall
 */
uint64_t chip_ticks_take(void);

/* Requests a reading for chip_ticks_noted, for which nobody waits as a rule.
 * context   event
 * blocks    no       cost  as chip_ticks_request; on the ATmega128 as chip_ticks_take
 */
void chip_ticks_note(void);

/* The reading that chip_ticks_note requested last. Waits if it is still under way.
 * returns   the count at some moment after that request, before any later event; 0: there was none
 * context   event
 * blocks    no       cost  up to chip_ticks_take, if the request has just been made
 */
uint64_t chip_ticks_noted(void);

/* The latest tick that is known to have begun: that of the last reading or alarm, and on the
 * ATmega128 the present one, unless the processor has just woken or the counter just wrapped. Also
 * requests a reading, from which later calls know more.
 * tick      never less than before
 * context   event
 * blocks    no       cost  no bus stall and no waiting; as chip_ticks_request
 */
void chip_ticks_known(uint64_t *tick);

/* Counts a relative time from now. If the chip knows well enough what the present tick is, as after
 * an alarm, it says so. Otherwise it requests a reading for which no caller waits:
 * kernel_tick_arrived() is called with it at the kernel level. A reading that is under way is used
 * if it is known to be recent; one that has ended is handed to kernel_tick_arrived() inside this
 * call, for earlier requests.
 * length    in ticks; becomes the tick at which it is over for certain, or longer by how old the
 *           reading may be at the time of this call: nothing, or CHIP_READING_TICKS
 * returns   true if it has become a tick, and no reading is needed
 * context   event
 * blocks    no       cost  no bus stall. If a reading is needed, there are some short interrupts in
 *           the 400 us after it, and no deep sleep
 */
bool chip_ticks_await(uint64_t *length);

/* Sets the only alarm; an earlier setting is forgotten. When the tick counter has reached `*tick`,
 * however far ahead it is, kernel_alarm() is called at the kernel level, not inside this call.
 * tick      earlier than that of an alarm which has not come: the chip need not distinguish a match
 *           of the old alarm, at the moment it is replaced, from a match of the new one
 * An alarm comes late by up to CHIP_ALARM_LATE_TICKS plus what delays its steps, never early, and
 * is never lost. It wakes from every sleep mode.
 * context   event
 * blocks    no       cost  no bus stall and no waiting. Unless the chip knows the present tick well
 *           enough, there are some short interrupts in the 600 us after it, and no deep sleep
 */
void chip_alarm_set(const uint64_t *tick);

/* Starts the counter of alarms in microseconds (lichen/alarm.h), from any count. It has 16 bits and
 * counts a clock of the peripherals, at 0.5 to 1.09 MHz; while it runs, it keeps the chip from
 * sleep modes that would stop it. Its interrupt is of the drivers' level.
 * context   event, with its interrupt held
 * blocks    no       cost  no bus stall
 */
void chip_counter_start(void);

/* Stops it, and its interrupt.
 * context   event, with its interrupt held; interrupt, its own
 * blocks    no       cost  no bus stall
 */
void chip_counter_stop(void);

/* The count, while it runs.
 * context   as chip_counter_stop
 * blocks    no       cost  up to 4 us on the SAM R21; no bus stall
 */
uint16_t chip_counter_read(void);

/* The counts after which a length has passed for certain, whenever it begins within a count.
 * us        at most 30,000
 * returns   less than 2^15
 * context   any
 */
uint16_t chip_counter_counts(uint16_t us);

/* Calls kernel_counter_matched() when the counter comes to `count`, or at once if it is less than
 * 2^15 counts beyond it. It may also be called before that. An earlier setting is forgotten.
 * context   as chip_counter_stop
 * blocks    no       cost  no bus stall
 */
void chip_counter_match(uint16_t count);

/* Holds the counter's interrupt back, and lets it come again. A hold precedes every other call.
 * context   event
 * blocks    no
 */
void chip_counter_hold(void);
void chip_counter_release(void);

/* Chooses the sleep mode that the processor's next wait for interrupt enters.
 * mode      below CHIP_SLEEP_MODES
 * context   event
 * blocks    no       cost  no bus stall
 */
void chip_sleep_select(uint8_t mode);

/* The same for the kernel, and with what the tick has to know or to limit, in programs that use it.
 * In programs that request a fast clock chip_sleep_prepare is a function of
 * os/kernel/power/clock.c, which ends with chip_sleep_slowly.
 */
void chip_sleep_prepare(uint8_t mode);
void chip_sleep_slowly(uint8_t mode);

/* The name of a sleep mode.
 * mode      below CHIP_SLEEP_MODES
 * returns   text
 * context   any
 */
const char *chip_sleep_text(uint8_t mode);

/* Enables an interrupt vector at a level. At start-up, or while it is disabled.
 * vector    a number of the chip's table; lichen/rt.h knows it as interrupt_vector_<name>
 * context   init, event, thread
 */
void chip_interrupt_enable(unsigned vector, uint8_t level);

/* The deepest sleep mode from which the processor wakes within a given time.
 * wake_us   asserts that the lightest mode does not take longer
 * returns   below CHIP_SLEEP_MODES
 * context   init
 */
uint8_t chip_sleep_within(uint16_t wake_us);

/* Changes the processor's clock, including wait states. Drivers must tell the peripherals that run
 * from it. If two callers change it at once, each change is atomic.
 * context   init, event, thread, coop
 */
void chip_clock_set(enum chip_clock clock);

/* The processor's clock.
 * returns   Hz
 * context   any
 */
uint32_t chip_clock_hz(void);

/* Counts cycles of the processor's clock, in 32 bits that wrap; stops while that clock does.
 * Reading it costs a load. For programs that count the CPU time of threads; each chip says which
 * resources it uses for it.
 * context   any
 */
extern const volatile uint32_t chip_cycle_counter;

/* Starts the cycle counter. Calls kernel_cycles_half() each time it has gone through half of its
 * range.
 * context   init
 */
void chip_cycle_counter_start(void);

/* The watchdog of a panic: resets the chip some seconds from now, whatever the program does. If it
 * is already running, its time starts again.
 * context   any, interrupts masked
 * blocks    no
 */
void chip_watchdog_arm(void);

/* Stops the watchdog, if it can be stopped.
 * context   any, interrupts masked
 * blocks    no       cost  a bus stall of 6 ms if the watchdog is busy
 */
void chip_watchdog_stop(void);

/* Starts the watchdog permanently: kernel_watchdog() is called at level 0 each time the given
 * period has passed; if that call does not clear it, the chip is reset after the same time again.
 * It runs in every sleep mode, and the call wakes from it.
 * milliseconds  the period is at least this, up to CHIP_WATCHDOG_MAX_MS, and at most twice; on the
 *           ATmega128, which counts wraps of its tick, at most 500 ms more
 * context   init, once
 */
void chip_watchdog_start(uint32_t milliseconds);

/* The longest period of the watchdog. */
#define CHIP_WATCHDOG_MAX_MS 8000u

/* -------- what a board provides, called once after chip_init: its outputs at rest */
void board_init(void);

/* -------- what the kernel provides to the chip */

/* What the chip has to do at the kernel level, on architectures whose interrupts cannot run there.
 * Called each time the kernel level is entered, if the chip defines it.
 * context   event
 */
__attribute__((weak)) void chip_serve(void);

/* The alarm's tick has been reached. Called at the kernel level, once per alarm set.
 * reached   the alarm's tick, or a later one that is known to have been reached; until an alarm is
 *           set
 */
void kernel_alarm(const uint64_t *reached);

/* The reading that chip_ticks_await() requested. Called at the kernel level.
 * read      the count at some moment after the request; how long ago that was is not known
 */
void kernel_tick_arrived(const uint64_t *read);

/* The counter has come to the count of chip_counter_match(), or will soon. At the drivers' level.
 */
void kernel_counter_matched(void);

/* The processor's clock becomes `hz`. chip_clock_set() calls this before the clock becomes slower
 * and after it has become faster, unless the program does not define it (its address is 0).
 * context   event
 */
__attribute__((weak)) void kernel_clock_changes(uint32_t hz);

/* The watchdog's time has passed. Called by the chip's handler at level 0, in programs that start
 * it.
 *
 * interrupted  frame of what the handler has interrupted
 */
void kernel_watchdog(const struct exception_frame *interrupted);

/* The cycle counter has gone through half of its range. Called at the kernel level. */
void kernel_cycles_half(void);

#endif
