/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the assembly knows of the kernel's structures: offsets, and values that C defines, under the
 * names that they have in C. layout.c compares each with its original. */
#ifndef ARMV6M_LAYOUT_H
#define ARMV6M_LAYOUT_H

#define KERNEL_CURRENT   0
#define KERNEL_READY     4
#define KERNEL_IN        8
#define KERNEL_OUT       12
#define KERNEL_DIRECT    16
#define KERNEL_THRESHOLD 20
#define KERNEL_SLOT      24

#define THREAD_SP          0
#define THREAD_NEXT        4
#define THREAD_STACK_LIMIT 8
#define THREAD_SYSCALL     12
#define THREAD_PRIORITY    20
#define THREAD_STATE       22
#define THREAD_SLICES      23
#define THREAD_CPU_TIME    24 /* with LICHEN_CPU_TIME */

/* SysTick: bit 1 of the control register, TICKINT, says whether it runs for a slice (see
 * cycles_awake.h); any store to the current value restarts it. */
#define SLICE_CONTROL 0xe000e010
#define SLICE_TIMER   0xe000e018

/* SCB.ICSR. */
#define ICSR               0xe000ed04
#define ICSR_PENDSVSET_BIT 28

/* `expire` is 0 if there is no deadline. */
#define SYSCALL_NEXT   0
#define SYSCALL_THREAD 4
#define SYSCALL_LIST   8
#define SYSCALL_CANCEL 12
#define SYSCALL_EXPIRE 16
#define SYSCALL_BYTES  40

#define EVENT_RUN     0
#define EVENT_PENDING 4
#define EVENT_QUEUED  5

#define NOTIFY_WAITER 12

#define MUTEX_OWNER 4

#define SEMAPHORE_WAITING 0
#define SEMAPHORE_COUNT   4

/* A SEMAPHORE_RT; the counts are those of the drivers' level. */
#define SEMAPHORE_RT_WAITING 16
#define SEMAPHORE_RT_POSTED  26
#define SEMAPHORE_RT_TAKEN   30

#define QUEUE_RECEIVERS  0
#define QUEUE_SENDERS    4
#define QUEUE_SLOTS      8
#define QUEUE_SLOT_BYTES 12
#define QUEUE_LENGTH     14
#define QUEUE_IN         16
#define QUEUE_OUT        18

/* Longer messages are copied at the kernel level. */
#define QUEUE_SHORT_BYTES 16

/* All restartable sequences (sequence.inc) lie within 2^9 bytes. */
#define SEQUENCES_SHIFT 9

/* What guard.S enters of a record. */
#define PANIC_REASON 4
#define PANIC_PC     12
#define PANIC_DETAIL 28

#define EXCEPTION_PENDSV 14

/* The exception frame, ARMv6-M ARM B1.5.6. */
#define FRAME_R0   0
#define FRAME_R1   4
#define FRAME_R2   8
#define FRAME_R3   12
#define FRAME_LR   20
#define FRAME_PC   24
#define FRAME_XPSR 28

/* Values of C. */
#define THREAD_WAITING    1
#define KERNEL_SLICED     255
#define NOTIFY_SET        1
#define SEMAPHORE_RT_MARK 3
#define PANIC_ASSERT      1
#define PANIC_FAULT       2
#define PANIC_INTERRUPT   6
#define ERR_FULL          5
#define ERR_EMPTY         6
#define ARCH_STACK_PAINT  0xa5a5a5a5
#define ARCH_STACK_SPARE  16

#endif
