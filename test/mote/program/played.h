/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two programs as a loader would leave them: tables in flash behind a header, objects and stacks in
 * one block, data in another one. Their threads do what a test tells them.
 */
#ifndef TEST_MOTE_PROGRAM_PLAYED_H
#define TEST_MOTE_PROGRAM_PLAYED_H

#include <stddef.h>

#include <lichen/init.h>
#include <lichen/link.h>
#include <lichen/mutex.h>
#include <lichen/semaphore.h>
#include <lichen/shell.h>
#include <lichen/syslog.h>
#include <lichen/thread.h>

#include "kernel/program/walk.h"
#include "load/container.h"

#include "helper.h"
#include "test.h"

/* What the block of a program's objects holds, in front of its stacks. */
struct objects {
    struct mutex lock;
    struct thread first, second;
    struct semaphore gate;
    uint8_t filled[8];
};

enum {
    PLAYED_STACK = THREAD_STACK_ROUND(SMALL_STACK),
    PLAYED_OBJECTS = (sizeof(struct objects) + 7) / 8 * 8,
    PLAYED_DATA = 24,
};

/* Header and tables, in the order of a container. */
struct image {
    struct container_header header;
    char name[2];
    struct thread_info threads[2];
    struct link_taker takers[1];
    struct program_module modules[1];
    struct shell_command commands[1];
    init_fn *starts[1];
    uint8_t initial[32];
};

/* A played program. */
struct played {
    struct program program;
    uint8_t objects[PLAYED_OBJECTS + 2 * PLAYED_STACK] __attribute__((aligned(8)));
    uint8_t data[PLAYED_DATA] __attribute__((aligned(4)));
};

extern struct played one, two;

/* What a thread does next; 0: nothing. Of the first and second thread of each. */
extern step *volatile steps[2][2];

/* How often start functions have run, and programs have ended; the last one that has. */
extern volatile unsigned starts;
extern volatile unsigned ends;
extern struct program *volatile ended;

/* An object of a program. */
#define OBJECT(played, field) ((void *)((played)->objects + offsetof(struct objects, field)))

/* Fills a program and runs it. The first thread, less urgent than the second one and more urgent
 * than the tests, starts with it; the second one is stopped. */
void play(struct played *played, step *first, step *second);

#endif
