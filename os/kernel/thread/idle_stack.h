/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The idle thread's stack. */
#ifndef KERNEL_THREAD_IDLE_STACK_H
#define KERNEL_THREAD_IDLE_STACK_H

#include <stdint.h>

/* Weak, so that the linker takes no stack because of them: kernel/thread/thread.c NEEDS
 * idle_stack_alone, and a program's cooperative threads need another one. */
extern __attribute__((weak)) uint8_t idle_stack[];
extern __attribute__((weak)) const uint16_t idle_stack_bytes;
extern const uint8_t idle_stack_alone;

#endif
