/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The idle thread's stack: only room for its registers. Cooperative threads, which it runs, link
 * another one instead (lichen/coop.h). */
#include "kernel/thread/idle_stack.h"

#include "arch/arch.h"

const uint8_t idle_stack_alone = 0;
__attribute__((section(".stack.idle"), aligned(ARCH_STACK_ALIGN)))
uint8_t idle_stack_usual[ARCH_FRAME_BYTES];
const uint16_t idle_stack_usual_bytes = ARCH_FRAME_BYTES;
