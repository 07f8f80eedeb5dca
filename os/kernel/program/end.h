/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What else takes part in the end of a program. All functions run at the kernel level. */
#ifndef KERNEL_PROGRAM_END_H
#define KERNEL_PROGRAM_END_H

struct program;
struct thread;

/* The part of program_stop that runs at the kernel level. If the running thread is one of the
 * program's, the call that leads here must not return to it. */
void program_stop_service(void *program);

/* Frees what is in the queues of its receivers, in images with a link. It is in no list any more.
 */
void program_receivers_left(const struct program *program);

/* Tells the shell, in images that have one. It is in no list any more. */
void program_left(const struct program *program);
void program_left_none(const struct program *program);

/* The program in whose command a thread of the image may be, or 0: that of the shell.
 */
const struct program *program_visited(const struct thread *thread);
const struct program *program_visited_none(const struct thread *thread);

#endif
