/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs that were loaded, as the kernel sees them: each brings tables of its own, and every walk
 * of a linker's table goes on with those of the programs that run.
 *
 * A program runs from program_run until its last thread has ended, or program_stop ends all of
 * them. A thread that has not been started does not count; a program that declares no threads at
 * all, or has events, runs until it is stopped. Threads that it made at run time are its threads,
 * too.
 *
 * Programs are trusted, and share nothing by name: nothing of one program waits for an object of
 * another one. So the objects of a program are left by nobody but its own threads.
 */
#ifndef KERNEL_PROGRAM_PROGRAM_H
#define KERNEL_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/panic.h>

#include "load/error.h"

struct container_header;
struct thread;

/* A program that runs. It lies in front of the program's objects, where the program cannot write.
 * All fields are written by the loader before the program runs, except those of the kernel. */
struct program {
    struct program *next; /* kernel: the next one that runs */
    const ARCH_FLASH struct container_header *header;
    const ARCH_FLASH uint8_t *code; /* tables, constants, functions, in this order */
    uint8_t *objects;               /* mutexes first */
    uint8_t *data;
    uint8_t slot;   /* the loader's: its row of the directory */
    uint8_t failed; /* kernel: enum panic_reason of the failure that has ended it; 0: none */
};

/* What remains of a start of the mote for the next one, in memory that start-up does not clear. */
struct program_remains {
    uint16_t panicked; /* kernel: PROGRAM_PANICKED: the mote has ended in a panic, not a program */
    /* The loader's, a bit for each slot: */
    uint8_t starting; /* the program in program_run */
    uint8_t young;    /* programs that have not run for long yet */
    uint8_t others;   /* all bits that `young` has not; else memory was overwritten */
};
extern struct program_remains program_remains;

enum {
    PROGRAM_PANICKED = 0x9a1c,
};

/* Fills objects and data with their initial values, and checks every length of them.
 * returns   LOAD_OK; LOAD_INITIAL: they lie outside the blocks, or end within a run
 * context   any, of a program that does not run
 * blocks    no
 */
MUST_CHECK enum load_error program_fill(const struct program *program);

/* Looks whether a program can be filled and run, and changes nothing.
 * returns   LOAD_OK; LOAD_INITIAL: as program_fill; LOAD_ADDRESS: as ERR_INVALID of program_run
 * context   any
 * blocks    no
 */
MUST_CHECK enum load_error program_check(const struct program *program);

/* Whether the stacks, control blocks and priorities of its threads are such.
 * context   any
 * blocks    no       cost  O(n) threads
 */
bool program_rows_are_sound(const struct program *program);

/* Runs a program whose blocks are filled. Its start functions (lichen/init.h) run as an event, then
 * its threads that are not declared stopped.
 * returns   0; or nothing has happened: ERR_BUSY: it runs already; ERR_INVALID: a thread's stack,
 *           control block or priority is none, or an event; ERR_FULL: too few slots are free for
 *           its events
 * context   thread
 * blocks    no       cost  O(n) bytes of stack
 * owns      program, blocks and flash are the kernel's until program_ended
 */
MUST_CHECK int program_run(struct program *program);

/* Stops a program: ends all its threads, as thread_destroy does. Has no effect on one that does not
 * run. Does not return if the caller is one of its threads.
 * context   thread
 * blocks    no       cost  O(n) threads, and mutexes for each
 */
void program_stop(struct program *program);

/* Whether it runs.
 * context   event, thread
 * blocks    no       cost  O(n) programs
 */
bool program_runs(const struct program *program);

/* How many of its threads have not ended; 0 if it does not run.
 * context   thread
 * blocks    no       cost  O(n) threads
 */
uint8_t program_threads_alive(const struct program *program);

/* How many events all programs that run may have together, and how many bytes of the kernel's stack
 * each of them: what the image has for them (`[programs] events`, `event_stack`).
 * context   any
 * blocks    no
 */
uint8_t program_event_slots(void);
uint16_t program_event_stack(void);

/* The program to whose memory an object, such as a thread's control block, belongs, or 0.
 * context   event
 * blocks    no       cost  O(n) programs
 */
struct program *program_of(const void *object);

/* Called when a program has ended, in whichever way: it is in no list of the kernel any more. Its
 * memory is the loader's again, which must not change it before a thread runs. In an image that
 * defines none it does nothing.
 * context   event
 * blocks    no
 */
void program_ended(struct program *program);
void program_ended_none(struct program *program);

/* -------- programs that fail
 *
 * Where a thread of a program fails by itself, by a failed assertion or panic(), a fault of the
 * processor, or a stack that overflowed, that program is stopped, as program_stop does, and the
 * rest runs on. So it is where one of its events fails, or a function that the event calls. All
 * else stays a panic of the mote: what fails in an interrupt, in a start function, or in a call of
 * the kernel by a thread, and an event that overflows the kernel's stack. A program can overwrite
 * any memory before it is noticed. */

/* The last one that failed. */
struct program_crash {
    struct panic_record record; /* as of a panic, for panic_print; count: how many have failed */
    const ARCH_FLASH struct container_header *header; /* the program's; 0: none has failed */
    const char *thread; /* its name, in the program's flash; or that it was an event */
    uint8_t slot;       /* the program's */
};

/* Reads it.
 * returns   0: none has failed, or it was forgotten
 * context   event, thread
 * blocks    no
 */
const struct program_crash *program_crash_look(void);

/* Forgets it: before the program's flash, in which its texts are, is erased.
 * context   event, thread
 * blocks    no
 */
void program_crash_forget(void);

#endif
