/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Time slices of equals, for the ready list. At the kernel level. In a program whose threads can
 * never be equals, distinct.c stands in for slice.c.
 */
#ifndef KERNEL_THREAD_SLICE_H
#define KERNEL_THREAD_SLICE_H

struct thread;

/* Starts or resumes the slice of the first ready thread, if it has equals, and sets the threshold.
 * The idle thread has no equals. */
void slice_begin(void);

/* Stops the slice before another thread becomes the first, or when the first one loses its last
 * equal. */
void slice_interrupt(void);

/* The first thread is the same as before, and may have lost its equals, or got some. It is not the
 * idle thread, for another one was behind it. Its slice goes on meanwhile, so this work is charged
 * to it. */
void slice_check(void);

/* Inserts a thread where that concerns slices: the first thread's slice is interrupted, or it has
 * an equal now. Apart from ready_insert_behind, whose other cases would pay for it with registers.
 */
void slice_insert(struct thread *thread);

#endif
