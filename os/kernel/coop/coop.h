/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads, inside the kernel.
 *
 * A thread's index is its place in four arrays, which the linker lays out in the same order:
 * states, resume offsets and wake times in RAM, functions in flash. Behind the last state lies a
 * byte that is never COOP_READY, where a pass over the states ends.
 *
 * Only thread mode runs them; signals come from any level. So a state has two kinds of writers, and
 * no instruction reads and writes memory in one. What keeps this right:
 *
 *   - An interrupt's signal is whole for those that it interrupts, and two nested ones do the same.
 *   - A thread's wake time, which never is COOP_SIGNALLED, gives way to this flag when a signal
 * finds it ready or asleep; whatever else it is says nothing. A thread that begins to wait or sleep
 * changes its state first and looks at the flag then. A signal before the change has left the flag,
 * one after it finds the state and makes the thread ready again.
 *   - Whoever writes a wake time looks at the state afterwards: one that is no longer asleep has
 * been signalled, and gets its flag back. Time wakes a sleeper by its state alone, so that it takes
 * no signal away.
 *   - The flag is cleared only when it was seen: a signal that comes until then is one with that
 * which is being taken.
 */
#ifndef KERNEL_COOP_COOP_H
#define KERNEL_COOP_COOP_H

#include <lichen/coop.h>

#define COOP_SIGNALLED 1u

extern struct coop coop_states[], coop_states_end[];
extern volatile uint16_t coop_wakes[];

/* Their addresses are where the arrays would begin if the states began at address 0, so that nobody
 * has to subtract: os/kernel/ram.ld. */
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

/* Runs cooperative threads for ever, and waits while none is ready. 0 in a program that has none.
 * context   thread: in programs with threads the idle one, else the only one there is
 */
_Noreturn __attribute__((weak)) void coop_run(void *unused);

/* Wakes sleeping threads whose time has come.
 * context   coop, between two passes
 */
void coop_clock_serve(void);

#endif
