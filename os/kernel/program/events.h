/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events of programs. All functions run at the kernel level; they are there in images that have
 * spare slots (events.c), and are 0 in others. */
#ifndef KERNEL_PROGRAM_EVENTS_H
#define KERNEL_PROGRAM_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

struct event;
struct panic_record;
struct program;

/* Whether its events are such: they lie among its objects.
 * context   any
 * cost      O(n) events
 */
__attribute__((weak)) bool program_events_are_sound(const struct program *program);

/* Takes spare slots for the events of a program that begins.
 * returns   0, or ERR_FULL: too few are free, and nothing has happened
 */
__attribute__((weak)) int program_events_begin(const struct program *program);

/* The program has left the list, and its threads have ended: its timers are cancelled, its events
 * are pending no more, and its slots are free.
 * cost      O(n) timers, and entries of the kernel's ring
 */
__attribute__((weak)) void program_events_end(const struct program *program);

/* What runs in place of the handlers of programs. A program whose handler fails is stopped. */
void program_event_run(struct event *event);

/* The record for that, and who has failed: reason, detail and pc are entered in between. */
struct panic_record *program_crash_record(void);
void program_crashed_in_event(struct program *program);

#endif
