/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The first frame of a thread. A file of its own: without threads nothing names it, nor the switch.
 */
#include "arch/arch.h"

#include "arch/armv6m/system.h"

/* Where the function of a thread returns to (switch.S). */
void thread_return(void);

void *arch_stack_prepare(void *top, void (*entry)(void *argument), void *argument)
{
    struct exception_frame *frame = (struct exception_frame *)top - 1;
    frame->r0 = (uint32_t)(uintptr_t)argument;
    frame->lr = (uint32_t)(uintptr_t)thread_return;
    frame->pc = (uint32_t)(uintptr_t)entry & ~1u;
    frame->xpsr = XPSR_THUMB;
    /* Registers as an interrupt leaves them: r8-r11 lie below the frame (switch.S). */
    return (uint8_t *)frame - 16;
}
