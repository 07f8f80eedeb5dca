/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads, inside the kernel.
 *
 * A thread's index is its place in four arrays, which the linker lays out in the same order:
 * states, resume offsets and wake times in RAM, functions in flash. After the last state comes a
 * byte that is never COOP_READY, where a pass over the states ends.
 *
 * Only thread mode runs them; signals come from any level. So a state has two kinds of writers, and
 * no instruction reads and writes memory at once. This is correct because of the following:
 *
 *   - A signal from an interrupt is atomic for the code that it interrupts, and the stores of two
 *     nested signals have the same effect as those of one.
 *   - A thread's wake time is replaced by the flag COOP_SIGNALLED when a signal finds it ready or
 *     asleep. A thread that begins to wait or sleep changes its state first and then reads the
 *     flag. A signal before the change has left the flag; one after it finds the new state and
 *     makes the thread ready again.
 *   - Code that writes a wake time reads the state afterwards: a thread that is no longer asleep
 *     has been signalled, and gets its flag back. Time wakes a sleeper by its state alone, so it
 *     removes no signal. A hold removes the wake time, even of a thread that time has woken and
 *     that has not run since. So the signal that releases the thread ends its whole sleep, of which
 *     more pieces might have followed.
 *   - The flag is cleared only when it has been read: a signal that comes until then merges with
 *     the one that is being taken.
 */
#ifndef KERNEL_COOP_COOP_H
#define KERNEL_COOP_COOP_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/coop.h>

#include "arch/arch.h"

#define COOP_NO_WAKE   0u /* no wake time */
#define COOP_SIGNALLED 1u /* the flag of a signal; all above are wake times */

extern struct coop coop_states[], coop_states_end[];
extern volatile uint16_t coop_wakes[];

/* Their addresses are where the arrays would begin if the states began at address 0, so that no
 * subtraction is needed: os/kernel/ram.ld. */
extern const uint8_t coop_wakes_of_0[], coop_resumes_of_0[];

static inline volatile uint16_t *coop_wake_of(const struct coop *thread)
{
    uintptr_t address = (uintptr_t)coop_wakes_of_0 + (uintptr_t)thread * sizeof(uint16_t);
    return (volatile uint16_t *)address;
}

/* Written by arch_coop_pass. */
static inline volatile uint16_t *coop_resume_of(const struct coop *thread)
{
    uintptr_t address = (uintptr_t)coop_resumes_of_0 + (uintptr_t)thread * sizeof(uint16_t);
    return (volatile uint16_t *)address;
}

/* Runs cooperative threads for ever, and waits while none is ready.
 * context   thread: in programs with threads the idle one, else the only one there is
 */
_Noreturn void coop_run(void *unused);

/* What start-up becomes in programs with cooperative threads and no others.
 * context   init, once
 */
_Noreturn void coop_alone(void);

/* Wakes sleeping threads whose time has come.
 * context   coop, between two passes
 */
void coop_clock_serve(void);
void coop_sleep_serve(void);
void coop_clock_serve_none(void);

/* The time of cooperative threads: ticks since start-up, and one alarm. If the kernel has a list of
 * deadlines, the alarm is one of them (alarm.c); otherwise nothing else uses the chip's alarm
 * (chip_alarm.c). */

/* Runs fn(argument), which sets the alarm, in a permitted context: at the kernel level if there is
 * one.
 * context   coop
 */
void coop_clock_call(arch_call_fn *fn, void *argument);
void coop_chip_call(arch_call_fn *fn, void *argument);
void coop_deadline_call(arch_call_fn *fn, void *argument);

/* The current time. Polls the slow clock if that keeps nothing else from running.
 * now       set to the ticks since start-up
 * context   coop
 */
void coop_clock_read(uint64_t *now);
void coop_chip_read(uint64_t *now);
void coop_deadline_read(uint64_t *now);

/* Sets the alarm; an earlier setting is forgotten.
 * context   inside coop_clock_call
 */
void coop_alarm_set(const uint64_t *tick);
void coop_chip_set(const uint64_t *tick);
void coop_deadline_set(const uint64_t *tick);

/* The alarm's tick has been reached.
 * reached   the alarm's tick, or a later one that is known to have been reached
 * context   event
 */
void coop_alarm_fired(const uint64_t *reached);

/* What the chip tells, in programs without deadlines. */
void coop_chip_fired(const uint64_t *reached);
void coop_chip_arrived(const uint64_t *read);

#endif
