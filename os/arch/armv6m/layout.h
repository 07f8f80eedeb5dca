/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Offsets of the kernel's structures for the assembly; layout.c checks each against its structure.
 */
#ifndef ARMV6M_LAYOUT_H
#define ARMV6M_LAYOUT_H

#define KERNEL_CURRENT   0
#define KERNEL_READY     4
#define KERNEL_POSTED    8
#define KERNEL_TAKEN     12
#define KERNEL_DIRECT    16
#define KERNEL_THRESHOLD 20
#define KERNEL_SLOT      24

#define THREAD_SP       0
#define THREAD_NEXT     4
#define THREAD_LIMIT    8
#define THREAD_PRIORITY 20
#define THREAD_STATE    22
#define THREAD_CPU_TIME 24 /* with LICHEN_CPU_TIME */

/* SysTick's current value: any store makes it begin anew. */
#define SLICE_TIMER 0xe000e018

#define EVENT_RUN     0
#define EVENT_PENDING 4
#define EVENT_QUEUED  5

#define NOTIFY_WAITER 12

#define MUTEX_OWNER 4

/* The restartable sequences of mutex.S: size of each one's block, and of the part of it that ends
 * with the store. */
#define MUTEX_BLOCK 16
#define MUTEX_STORE 10

/* The exception frame, ARMv6-M ARM B1.5.6. */
#define FRAME_R0 0
#define FRAME_R3 12
#define FRAME_PC 24

/* Room for everything that a panic calls. */
#define PANIC_STACK_BYTES 320

#define STACK_PAINT 0xa5a5a5a5
#define STACK_SPARE 16

#define PANIC_REASON_ASSERT 1

#endif
