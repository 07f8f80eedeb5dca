/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads as the kernel sees them. All functions run at the kernel level, or before there is one.
 */
#ifndef KERNEL_THREAD_THREAD_H
#define KERNEL_THREAD_THREAD_H

#include <lichen/thread.h>

/* The declared threads, placed by the linker. Programs that were loaded have their own
 * (kernel/program/program.h). */
extern const ARCH_FLASH struct thread_info threads_begin[], threads_end[];

/* What thread_info_of and thread_look are in images that load no programs, and in those that do. */
const ARCH_FLASH struct thread_info *thread_info_of_declared(const struct thread *thread);
const ARCH_FLASH struct thread_info *thread_info_of_programs(const struct thread *thread);
int thread_look_declared(unsigned index, struct thread_view *view);
int thread_look_of_programs(unsigned index, struct thread_view *view);

/* The least urgent thread. */
extern struct thread idle;

/* Its stack. Weak, because a program may define one (lichen/coop.h), as cooperative threads do; the
 * usual one, in thread.c, has room only for the thread's registers. */
extern __attribute__((weak)) uint8_t idle_stack[];
extern __attribute__((weak)) const uint16_t idle_stack_bytes;
extern uint8_t idle_stack_usual[];
extern const uint16_t idle_stack_usual_bytes;

/* Value of the cycle counter when cycles were last charged to a thread (cpu_time.c). */
extern uint32_t cpu_time_since;

/* The threads made at run time that have not ended; in programs that make any (create.c). */
extern struct thread_created *threads_created;

/* The description of a thread made at run time, or 0. Terminates whatever the list holds.
 * context   any
 * cost      O(n) threads
 */
__attribute__((weak)) const struct thread_info *thread_created_info(const struct thread *thread);

/* Paints a stack.
 * context   any
 */
void thread_stack_paint(uint8_t *begin, size_t bytes);

/* Prepares the first frame of a thread whose `info` is set, with 0 as its argument: it is stopped,
 * and ready_insert starts it.
 */
void thread_prepare(struct thread *thread);

/* Prepares the stacks and control blocks of all declared threads, and makes those ready that do not
 * start stopped. 0 in a program that declares none.
 * context   init, once
 */
__attribute__((weak)) void threads_declared(void);

/* What start-up becomes in programs with threads: makes the declared ones ready, and goes on as the
 * idle thread.
 * context   init, once
 */
_Noreturn void threads_start(void);

/* The function of the idle thread: cooperative threads, or arch_idle. */
_Noreturn void idle_run(void *unused);

/* Ends a thread, whatever it is doing. If it is the running one, the call that leads here must not
 * return to it.
 */
void thread_end_service(void *thread);

/* The part of ending that only threads made at run time need: leaves their list. */
void thread_forget(const struct thread *thread);
void thread_forget_created(const struct thread *thread);
void thread_forget_none(const struct thread *thread);

/* The part of ending that only programs with joins need: ends the calls that wait for the thread.
 */
void joins_end(const struct thread *thread);
void joins_end_all(const struct thread *thread);
void joins_end_none(const struct thread *thread);

/* The last part: also sees whether the thread was the last one of a program that was loaded. */
void thread_ended(const struct thread *thread);
void thread_ended_of_programs(const struct thread *thread);

/* The part of ending that programs with mutexes need: the mutexes that the thread holds are
 * abandoned. */
void mutexes_abandon(const struct thread *thread);
void mutexes_abandon_all(const struct thread *thread);
void mutexes_abandon_none(const struct thread *thread);
void mutexes_abandon_of_programs(const struct thread *thread);

/* Sets a thread's priority to the highest among its own and those of the threads that wait for
 * mutexes that it holds, then does the same for the owner of the mutex that it waits for itself,
 * and so on.
 * cost      O(n) mutexes, for each thread of the chain
 */
void thread_reprioritize(struct thread *thread);
void thread_reprioritize_declared(struct thread *thread);
void thread_reprioritize_of_programs(struct thread *thread);

#endif
