/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads as the kernel sees them. All functions run at the kernel level, or before there is one.
 */
#ifndef KERNEL_THREAD_THREAD_H
#define KERNEL_THREAD_THREAD_H

#include <lichen/thread.h>

/* The declared threads, placed by the linker. */
extern const ARCH_FLASH struct thread_info threads_begin[], threads_end[];

/* Bytes of a stack, from `begin`, that still carry the paint.
 * context   any
 */
size_t stack_free(const uint8_t *begin, size_t bytes);

/* Lays out the stacks and control blocks of all declared threads and of the idle thread.
 * context   init
 */
void threads_init(void);

/* Where a thread ends up whose function has returned: a panic.
 * context   thread
 */
_Noreturn void thread_returned(void);

#endif
