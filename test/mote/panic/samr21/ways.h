/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ways in which the program ends, in the order of the files that have them. */
#ifndef WAYS_H
#define WAYS_H

#include <lichen/semaphore.h>
#include <lichen/thread.h>

#define NOWHERE ((volatile uint32_t *)0x30000000)
#define RAM_END 0x20008000u

extern struct thread tests, idle;
extern uint8_t kernel_stack_bottom[];

/* What comes after a call that must not return. */
void returned(void);

/* panic_samr21.c: faults and failed assertions */
void fault_here(void);
void fault_soon(void);

/* deep.c: stacks that overflow */
extern struct semaphore never; /* posted */
extern struct thread goes_deep, calls_deep, stays_deep, yields_deep, waits_at_the_end;
void overflow(void);
void overflow_kernel_stack(void);
void overflow_and_stay(void);
void overflow_and_wait(void);
void overflow_and_wait_for_notification(void);
void overflow_and_wake(void);
void overflow_and_notify(void);
void overflow_and_pause(void);
void overflow_and_exit(void);
void overflow_and_yield(void);
void wait_at_the_end(void);

/* misuse.c: calls that a program must not make */
extern struct thread unlocks_for_another, locks_undeclared, waits_with_lock_of_tests;
extern struct thread waits_for_one;
void wait_in_event(void);
void wait_for_what_is_there_in_event(void);
void sleep_in_event(void);
void yield_in_handler(void);
void interrupt_without_handler(void);
void lock_twice(void);
void unlock_for_another(void);
void unlock_what_is_free(void);
void lock_in_event(void);
void lock_undeclared(void);
void join_oneself(void);
void make_twice(void);
void become_idle(void);
void give_back_too_often(void);
void send_at_another_level(void);
void exceed_priorities(void);
void wait_without_mutex(void);
void wait_with_mutex_of_another(void);
void wait_as_second(void);
void wait_as_second_until(void);
void notify_one(void);

/* memory.c: descriptions of threads that are overwritten */
extern struct thread_created twice, nameless;
void list_broken(struct thread_created *link);
void list_leads_nowhere(void);
void list_leads_between_words(void);
void list_is_a_circle(void);
void name_leads_nowhere(void);
void name_has_no_end(void);

#endif
