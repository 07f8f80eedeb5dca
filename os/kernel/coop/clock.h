/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The time of cooperative threads: ticks since start-up, and one alarm. If the kernel has a list of
 * deadlines, the alarm is one of them (kernel/coop/alarm.c); otherwise nothing else uses the chip's
 * alarm (kernel/coop/chip_alarm.c).
 */
#ifndef KERNEL_COOP_CLOCK_H
#define KERNEL_COOP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"

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
