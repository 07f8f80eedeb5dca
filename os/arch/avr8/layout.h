/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the assembly knows of the kernel's structures: offsets, and values that C defines. layout.c
 * compares each with its original. */
#ifndef AVR8_LAYOUT_H
#define AVR8_LAYOUT_H

#define KERNEL_CURRENT    0
#define KERNEL_READY      2
#define KERNEL_IN         4
#define KERNEL_OUT        7
#define KERNEL_DIRECT     10
#define KERNEL_THRESHOLD  12
#define KERNEL_SLOT       13
#define KERNEL_SLOT_BYTES 6

#define EVENT_PENDING 2
#define EVENT_QUEUED  3

#define THREAD_SP          0
#define THREAD_NEXT        2
#define THREAD_STACK_LIMIT 4
#define THREAD_SYSCALL     6
#define THREAD_PRIORITY    12
#define THREAD_STATE       14
#define THREAD_SLICES      15

#define MUTEX_OWNER 2

#define SEMAPHORE_WAITING 0
#define SEMAPHORE_COUNT   2

#define NOTIFY_WAITER 7

#define SEMAPHORE_RT_WAITING 9
#define SEMAPHORE_RT_POSTED  13
#define SEMAPHORE_RT_TAKEN   16

#define SYSCALL_THREAD 2
#define SYSCALL_EXPIRE 8
#define SYSCALL_RESULT 20
#define SYSCALL_BYTES  24

#define QUEUE_RECEIVERS  0
#define QUEUE_SENDERS    2
#define QUEUE_SLOTS      4
#define QUEUE_SLOT_BYTES 6
#define QUEUE_LENGTH     8
#define QUEUE_IN         9
#define QUEUE_OUT        10

/* Longer messages are copied at the kernel level. */
#define QUEUE_SHORT_BYTES 16

#define PANIC_REASON 2
#define PANIC_PC     6
#define PANIC_SP     10
#define PANIC_STATUS 12
#define PANIC_DETAIL 14

/* Values of C. */
#define ARCH_FRAME_BYTES  (38 + 112)
#define NOTIFY_SET        1
#define SEMAPHORE_RT_MARK 3
#define THREAD_WAITING    1
#define KERNEL_SLICED     255
#define ARCH_LEVEL_DRIVER 1
#define ARCH_CALL_TAG     0x8000
#define ERR_FULL          5
#define ERR_EMPTY         6
#define STACK_PAINT       0xa5
#define PANIC_ASSERT      1
#define PANIC_FAULT       2
#define PANIC_STACK       3
#define PANIC_CONTEXT     5
#define PANIC_INTERRUPT   6

#endif
