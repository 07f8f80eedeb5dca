/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The idle thread's stack. */
#ifndef KERNEL_THREAD_IDLE_STACK_H
#define KERNEL_THREAD_IDLE_STACK_H

#include <stdint.h>

/* Weak, so that a reference to them links no stack. kernel/thread/thread.c NEEDS idle_stack_alone,
 * which links the small one. A program that defines another, as cooperative threads do, has that.
 */
extern __attribute__((weak)) uint8_t idle_stack[];
extern __attribute__((weak)) const uint16_t idle_stack_bytes;
extern const uint8_t idle_stack_alone;

extern uint8_t idle_stack_usual[];
extern const uint16_t idle_stack_usual_bytes;

#endif
