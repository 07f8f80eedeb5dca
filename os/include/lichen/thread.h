/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads: code with a stack of its own that may wait.
 *
 *     THREAD(logger, 384, PRIORITY_APP)
 *     {
 *         for (;;) { ...; sleep_ms(1000); }
 *     }
 *
 * The most urgent ready thread runs. Threads of equal priority take turns of
 * 5 ms; a thread that is alone at its priority has no turn to end, and no timer
 * runs for it. Every interrupt and event comes before every thread. Declared
 * threads are placed by the linker and start when the kernel does, in the order
 * of their priorities. A thread must not return: that is a panic.
 */
#ifndef LICHEN_THREAD_H
#define LICHEN_THREAD_H

#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>

/* Priorities: 0 to 15, larger is more urgent; 0 is the idle thread's alone. */
enum priority {
    PRIORITY_IDLE = 0,
    PRIORITY_LOW = 2,  /* long computations */
    PRIORITY_APP = 4,  /* applications */
    PRIORITY_HIGH = 8, /* what applications wait for */
    PRIORITY_NET_TX = 10,
    PRIORITY_NET_MAIN = 12,
    PRIORITY_MAX = 15,
};

enum thread_state {
    THREAD_READY = 0,   /* on the ready list; the first of it runs */
    THREAD_WAITING = 1, /* in a blocking call, described by its message */
};

struct message;
struct mutex;

/* The control block. All fields are written at the kernel level only, by the kernel. */
struct thread {
    void *sp;                /* where its registers are; bit 0 set: it called, and kept none */
    struct thread *next;     /* the next ready thread */
    uint8_t *stack_limit;    /* least value of sp: below it, registers would not fit its stack */
    struct message *message; /* the call it waits in, or none */
    struct mutex *held;      /* mutexes it owns */
    uint8_t priority;        /* 1 to 15 now; 0 is idle's */
    uint8_t base;            /* priority as declared */
    uint8_t state;           /* enum thread_state */
    uint8_t error;           /* enum error of its last ended call */
};

/* What is known of a declared thread before it runs; stays in flash. */
struct thread_info {
    struct thread *thread;
    void (*entry)(void);
    uint8_t *stack;
    const ARCH_FLASH char *name;
    uint16_t stack_bytes;
    uint8_t priority;
};

/* Bytes of stack that the kernel needs of a thread beside what its code uses. */
enum thread_stack {
    THREAD_STACK_MIN = ARCH_FRAME_BYTES,
};

#define THREAD_STACK_ROUND(bytes)                                                                  \
    (((bytes) + (ARCH_STACK_ALIGN - 1u)) / ARCH_STACK_ALIGN * ARCH_STACK_ALIGN)

/* Declares a thread and opens its body.
 * thread_    its name, on the host too
 * bytes      of stack, the kernel's THREAD_STACK_MIN included
 * urgency    1 to 15
 */
#define THREAD(thread_, bytes, urgency)                                                            \
    _Static_assert((bytes) >= THREAD_STACK_MIN,                                                    \
                   "stack of " #thread_ " is below THREAD_STACK_MIN");                             \
    __asm__(".global kernel_level"); /* in every program with a thread: os/kernel/level.c */       \
    _Static_assert((urgency) > 0 && (urgency) <= PRIORITY_MAX, "priority of " #thread_);           \
    static uint8_t thread_##_stack[THREAD_STACK_ROUND(bytes)]                                      \
        __attribute__((section(".stack." #thread_), aligned(ARCH_STACK_ALIGN)));                   \
    static void thread_##_thread(void);                                                            \
    static const ARCH_FLASH char thread_##_name[] = #thread_;                                      \
    struct thread thread_;                                                                         \
    static const ARCH_FLASH struct thread_info thread_##_info                                      \
        __attribute__((section(".lichen.threads." #thread_), used)) = {                            \
            .thread = &thread_,                                                                    \
            .entry = thread_##_thread,                                                             \
            .stack = thread_##_stack,                                                              \
            .name = thread_##_name,                                                                \
            .stack_bytes = sizeof(thread_##_stack),                                                \
            .priority = (urgency),                                                                 \
    };                                                                                             \
    static void thread_##_thread(void)

/* Lets the next ready thread of the same priority run, if there is one.
 * context   thread
 * blocks    no       cost  75 cycles to the other thread [bench kernel/switch_yield]
 */
static inline void thread_yield(void)
{
    arch_yield();
}

/* Who runs.
 * returns   the running thread; in an event, the thread that it interrupts
 * context   event, thread
 * blocks    no
 */
struct thread *thread_self(void);

/* What the linker placed for a thread.
 * returns   its declaration, or 0 for one that has none (idle)
 * context   any
 * blocks    no       cost  O(n) declared threads
 */
const ARCH_FLASH struct thread_info *thread_info_of(const struct thread *thread);

/* How much of a declared thread's stack has never been used.
 * returns   bytes, from the end that overflows, that still carry the paint of start-up
 * context   any
 * blocks    no       cost  O(n) bytes
 */
size_t thread_stack_free(const ARCH_FLASH struct thread_info *info);

#endif
