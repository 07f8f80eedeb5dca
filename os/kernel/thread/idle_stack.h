/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The idle thread's stack. */
#ifndef KERNEL_THREAD_IDLE_STACK_H
#define KERNEL_THREAD_IDLE_STACK_H

#include <stdint.h>

extern uint8_t idle_stack[];
extern const uint16_t idle_stack_bytes;

#endif
