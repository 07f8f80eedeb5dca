/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads: code with a stack of its own that may wait.
 *
 *     THREAD(logger, 512, PRIORITY_APP)
 *     {
 *         for (;;) { ...; sleep_ms(1000); }
 *     }
 *
 * The most urgent ready thread runs. Threads of equal priority take turns, in slices of 5 ms of
 * processor time. A thread that is preempted resumes with the rest of its slice; a thread that
 * yields or waits gives up the rest, and its next slice is a whole one. Interrupts and events are
 * charged to the thread that they interrupt. A thread that is alone at its priority has no slices,
 * and no timer runs for it. Interrupts and events preempt all threads. Declared
 * threads are placed by the linker and start when the kernel does, in the order of their
 * priorities; a THREAD_STOPPED waits for thread_start, and thread_create makes a thread in memory
 * that the program provides at run time.
 *
 * A thread whose function returns has ended, as if it had called thread_exit: it is stopped, and
 * may be started again. Mutexes that it holds go to the next thread that locks them, which is
 * informed (lichen/mutex.h). An overflow of its stack is a panic (PANIC_STACK), and so is a
 * blocking call outside a thread (PANIC_CONTEXT).
 */
#ifndef LICHEN_THREAD_H
#define LICHEN_THREAD_H

#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/kernel.h>
#include <lichen/loaded.h>
#include <lichen/syscall.h>

/* Priorities: 0 to 15, larger is more urgent; 0 is the idle thread's alone. Those of real-time
 * tasks are another scale, on which 0 is the most urgent: doc/guide/8-which-kind-of-work.md has
 * both. */
enum priority {
    PRIORITY_IDLE = 0,
    PRIORITY_LOW = 2,  /* long computations */
    PRIORITY_APP = 4,  /* applications */
    PRIORITY_HIGH = 8, /* what applications wait for */
    PRIORITY_NET_TX = 10,
    PRIORITY_NET_MAIN = 12,
    PRIORITY_MAX = 15,
};

/* The state of a thread. THREAD_PAUSED may be combined with THREAD_WAITING: the wait continues, but
 * the thread does not run when it ends. */
enum thread_state {
    THREAD_READY = 0,   /* on the ready list; the first of it runs */
    THREAD_WAITING = 1, /* in a blocking call, `syscall` */
    THREAD_PAUSED = 2,  /* until it is resumed */
    THREAD_STOPPED = 4, /* not started yet, or ended */
};

/* The two slices that a thread may have, one bit each: at its own priority, and at one that it
 * inherits. */
enum slice {
    SLICE_OWN = 1,
    SLICE_INHERITED = 2,
};

/* The declaration of a thread; that of a declared thread stays in flash. */
struct thread_info {
    struct thread *thread;
    void (*entry)(void *argument);
    uint8_t *stack;
    const char *name; /* text: lichen/print.h */
    uint16_t stack_bytes;
    uint8_t priority;
    uint8_t stopped; /* not 0: thread_start starts it, not the kernel */
};

/* The control block. All fields are written at the kernel level only, by the kernel. Can only be
 * made by THREAD, or in a struct thread_created; `lichen build` refuses others. Bit 0 of its
 * address is free: notifications and mutexes use it. */
struct ARCH_EVEN thread {
    void *sp;             /* where its registers are saved, and in which form: the architecture's */
    struct thread *next;  /* the next ready thread */
    uint8_t *stack_limit; /* least value of sp: below it, registers would not fit its stack */
    union {
        struct syscall *syscall; /* while it waits; ARCH_CALL_TAG set: for a notification */
        uint16_t slice_left[2];  /* while it is ready: what is left of its slices, own first */
    };
    const ARCH_FLASH struct thread_info *info; /* 0: idle */
    uint8_t priority;                          /* 1 to 15 now; 0 is idle's */
    uint8_t base;                              /* priority without what it inherits */
    uint8_t state;                             /* enum thread_state */
    uint8_t slices;                            /* enum slice: those in `slice_left` */
    struct arch_cpu_time cpu_time;             /* empty without LICHEN_CPU_TIME */
};

/* A thread that is made at run time, in memory that stays valid until it has ended. The caller
 * fills in all of `info` except `thread`. */
struct thread_created {
    struct thread thread;
    struct thread_info info;
    struct thread_created *next; /* the next one of those that have not ended */
};

/* Bytes of stack that the kernel needs from a thread besides what its code uses. */
enum thread_stack {
    THREAD_STACK_MIN = ARCH_FRAME_BYTES,
};

#define THREAD_STACK_ROUND(bytes)                                                                  \
    (((bytes) + (ARCH_STACK_ALIGN - 1u)) / ARCH_STACK_ALIGN * ARCH_STACK_ALIGN)

/* Defines the control block and stack of a thread and its entry in the linker's table. */
#define THREAD_DECLARE(thread_, bytes, urgency, stopped_)                                          \
    _Static_assert((bytes) >= THREAD_STACK_MIN,                                                    \
                   "stack of " #thread_ " is below what the kernel needs of it; a small thread "   \
                   "needs 192 to 256 bytes, one that prints 512");                                 \
    DECLARATION_NEEDS(kernel_level);     /* os/arch/armv6m/events.S */                             \
    DECLARATION_NEEDS(threads_declared); /* os/kernel/thread/declared.c */                         \
    _Static_assert((bytes) <= UINT16_MAX - ARCH_STACK_ALIGN,                                       \
                   "stack of " #thread_ " is too large; 65,527 bytes are the most");               \
    _Static_assert((urgency) > 0 && (urgency) <= PRIORITY_MAX,                                     \
                   "priority of " #thread_ " is not 1 to 15; PRIORITY_APP is the usual one");      \
    static THREAD_STACK(thread_##_stack, bytes);                                                   \
    static void thread_##_body(void *argument);                                                    \
    static void thread_##_thread(void *argument)                                                   \
    {                                                                                              \
        thread_##_body(argument);                                                                  \
        thread_exit(); /* only a body that returns links it */                                     \
    }                                                                                              \
    static const char thread_##_name[] ARCH_TEXT_PLACED(thread_) = #thread_;                       \
    struct thread thread_ OBJECT_PLACED(thread, thread_);                                          \
    static const struct thread_info thread_##_info                                                 \
        __attribute__((section(".lichen.threads." #thread_), used)) = {                            \
            .thread = &thread_,                                                                    \
            .entry = thread_##_thread,                                                             \
            .stack = thread_##_stack,                                                              \
            .name = thread_##_name,                                                                \
            .stack_bytes = sizeof(thread_##_stack),                                                \
            .priority = (urgency),                                                                 \
            .stopped = (stopped_),                                                                 \
    }

/* A stack for a thread that is made at run time. */
#define THREAD_STACK(name, bytes)                                                                  \
    uint8_t name[THREAD_STACK_ROUND(bytes)]                                                        \
        __attribute__((section(".stack." #name), aligned(ARCH_STACK_ALIGN)))

/* Declares a thread and opens its body, in which `argument` is 0 or the argument of thread_start.
 * thread_    its name, also in the host's tools
 * bytes      of stack, the kernel's THREAD_STACK_MIN included
 * urgency    1 to 15
 */
#define THREAD(thread_, bytes, urgency)                                                            \
    THREAD_DECLARE(thread_, bytes, urgency, 0);                                                    \
    static void thread_##_body(void *argument __attribute__((unused)))

/* The same, but the thread is stopped until thread_start. */
#define THREAD_STOPPED(thread_, bytes, urgency)                                                    \
    THREAD_DECLARE(thread_, bytes, urgency, 1);                                                    \
    static void thread_##_body(void *argument __attribute__((unused)))

/* Lets the next ready thread of the same priority run, if there is one.
 * context   thread
 * blocks    no       cost  78 cycles to the other thread [bench kernel/switch_yield]
 */
static inline __attribute__((always_inline)) void thread_yield(void)
{
    arch_yield();
}

/* The part of thread_start that runs at the kernel level.
 * returns   as thread_start
 * context   event
 * blocks    no
 */
int thread_start_service(void *thread, void *argument);

/* Starts a declared thread that is stopped, at the beginning of its function and with its declared
 * priority. A thread can run to completion and be started again any number of times.
 * argument  handed to its function
 * returns   0, or ERR_BUSY if it is not stopped
 * context   event, thread, coop
 * blocks    no       cost  150 cycles [bench tosthreads/start]
 */
static inline int thread_start(struct thread *thread, void *argument)
{
    return kernel_run_with(thread_start_service, thread, argument);
}

/* Makes a thread and starts it.
 * created   block with `info` filled in: entry, stack (THREAD_STACK: aligned to ARCH_STACK_ALIGN
 *           and a multiple of it long), name, priority; asserts if the thread is alive
 * argument  handed to its function
 * returns   0, or ERR_INVALID if stack or priority is not as described
 * context   thread
 * blocks    no       cost  O(n) bytes of stack
 * owns      block, stack and name are the kernel's until the thread has ended: thread_join or
 *           thread_destroy has returned
 */
MUST_CHECK int thread_create(struct thread_created *created, void *argument);

/* Ends the calling thread, as returning from its function does.
 * context   thread
 * blocks    no
 */
_Noreturn void thread_exit(void);

/* Ends a thread, whatever it is doing: a call in which it waits is cancelled, mutexes that it holds
 * are abandoned (lichen/mutex.h), threads that join it continue. Other resources that it has taken,
 * a semaphore or a device, are not released. A stopped thread stays stopped.
 * thread    if it is the caller, the same as thread_exit
 * context   thread
 * blocks    no       cost  O(n) mutexes
 * owns      the stack is no longer used on return
 */
void thread_destroy(struct thread *thread);

/* Waits until a thread has ended; returns at once if it is stopped. Any number of threads may wait
 * for the same one. A thread that waits for itself asserts.
 * context   thread
 * blocks    yes
 */
void thread_join(struct thread *thread);

/* The part of thread_join_until that runs at the kernel level; the call's object is the thread.
 * returns   as thread_join_until, if it need not wait
 * context   event (in a call)
 * blocks    no
 */
int thread_join_service(void *syscall);

/* As thread_join, but waits until the deadline at most.
 * deadline  microseconds of the system clock; if it is past, only tries
 * returns   0, or ERR_TIMEOUT
 * context   thread
 * blocks    yes
 */
MUST_CHECK static inline int thread_join_until(struct thread *thread, uint64_t deadline)
{
    return syscall_run_on_until(thread_join_service, thread, deadline);
}

/* Keeps a thread from running until thread_resume; pausing it twice is the same as once. A call in
 * which it waits continues and may end, also by its deadline; a mutex that it holds stays held. Has
 * no effect on a stopped thread.
 * thread    may be the caller; not thread_self() of a cooperative thread, which is none of its own
 * context   event, thread, coop
 * blocks    yes, if it is the caller: until it is resumed
 */
void thread_pause(struct thread *thread);

/* Lets a paused thread continue. Has no effect on a thread that is not paused.
 * context   event, thread, coop
 * blocks    no
 */
void thread_resume(struct thread *thread);

/* Changes a thread's priority until it is next started. Priority inherited through mutexes still
 * applies, and the threads it waits for inherit the new priority at once. In lists it moves behind
 * its new equals, and its slice ends. Has no effect if the priority is the thread's own already, or
 * on a stopped thread.
 * thread    not the idle thread, which runs cooperative ones, else asserts
 * priority  1 to 15, else asserts
 * context   event, thread, coop
 * blocks    no       cost  O(n) mutexes
 */
void thread_set_priority(struct thread *thread, uint8_t priority);

/* The name of a thread.
 * returns   text that stays as long as the thread's block; "idle" for the idle thread
 * context   any
 * blocks    no
 */
const char *thread_name(const struct thread *thread);

/* The running thread.
 * returns   the running thread; in an event, the thread that the event interrupted; in a
 *           cooperative thread, the idle thread
 * context   event, thread, coop
 * blocks    no
 */
struct thread *thread_self(void);

/* The declaration of a thread. Trusts nothing in the control block: searches for its address.
 * returns   what it was declared or made with, or 0 (idle; one made at run time that has ended, and
 *           on AVR each one that was made at run time)
 * context   event, thread, coop
 * blocks    no       cost  O(n) threads
 */
const ARCH_FLASH struct thread_info *thread_info_of(const struct thread *thread);

/* How much of a thread's stack has never been used.
 * returns   bytes, from the end that overflows, that still carry the paint of start-up or
 *           creation; starting a thread again does not renew it
 * context   any
 * blocks    no       cost  O(n) bytes
 */
size_t thread_stack_free(const ARCH_FLASH struct thread_info *info);

/* What a list of threads shows of one. */
struct thread_view {
    const struct thread *thread; /* 0: none, it is the kernel's stack */
    const char *name;            /* text: lichen/print.h */
    uint16_t stack_bytes;        /* of its stack */
    uint16_t stack_free;         /* of these, how many have never been used */
    uint8_t priority;            /* now */
    uint8_t state;               /* enum thread_state */
};

/* Describes the threads one by one: declared ones by name, the idle thread, the kernel's stack, and
 * those made at run time, the newest first. If a thread is made or ends at run time between two
 * calls, another may be shown twice, or not at all.
 * index     from 0 on
 * returns   0, or ERR_EMPTY after the last one
 * context   thread
 * blocks    no       cost  O(n) bytes of its stack
 */
MUST_CHECK int thread_look(unsigned index, struct thread_view *view);

/* The CPU time of a thread, in cycles of the main clock; for programs that are built with `[build]
 * cpu_time = true` in lichen.toml (CMake: LICHEN_CPU_TIME), otherwise the call does not compile. A
 * switch then costs 26 cycles more [bench kernel/switch_yield_counting], a control block 8 bytes,
 * and the SAM R21 gives up its timers TC4 and TC5, which no real-time task can then use. Counted
 * from one switch to the next:
 *
 *   - the thread's own code, in all of its runs since start-up or thread_create;
 *   - interrupts, real-time tasks and events that interrupted it without leading to a switch. If
 *     they led to one, they count up to it, and from it on for the next thread;
 *   - a blocking call up to the switch;
 *   - for the idle thread (kernel's `idle`) sleep, while the main clock runs: not in standby.
 *
 * thread    any; of the calling one the time up to the call
 * returns   cycles; 64 bits, which never wrap
 * context   event, thread, coop
 * blocks    no
 */
uint64_t thread_cpu_cycles(const struct thread *thread) ARCH_CPU_TIME_CALL;

/* The same in microseconds of the present main clock: for programs that do not change it, and do
 * not request another one (lichen/clock.h).
 * returns   microseconds, rounded down
 * context   event, thread, coop
 * blocks    no
 */
uint64_t thread_cpu_us(const struct thread *thread) ARCH_CPU_TIME_CALL;

#endif
