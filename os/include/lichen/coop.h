/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads: many small jobs, without a stack each.
 *
 *     COOP(blink)
 *     {
 *         COOP_BEGIN();
 *         for (;;) {
 *             led_toggle(0);
 *             coop_sleep_ms(500);
 *         }
 *         COOP_END();
 *     }
 *
 * They run when no thread is ready, one after the other, each until it waits, sleeps or yields.
 * Only the place to resume at, the state and the wake time are kept: 5 bytes of RAM. They start
 * with the mote, in the order of their names. When none is ready, the mote sleeps.
 *
 * The price of having no stack:
 *
 *   - Waiting, sleeping and yielding happen in the body itself, between COOP_BEGIN and
 *     COOP_END. In a function that the body calls, they do not compile.
 *   - They do not compile inside a `switch` either: use `if`, or let the cases choose what to
 *     do next.
 *   - A local variable does not survive them. What must survive is declared `static`, which
 *     costs no more: there is one instance of each cooperative thread. A local whose scope they
 *     are in does not compile if it is initialised, nor, as far as the compiler sees, if it is used
 *     afterwards; `lichen build` refuses others, such as arrays. One that is initialised above
 *     COOP_BEGIN compiles, and is initialised again after each wait. On ARM, a local that is set
 *     and used under the same condition is reported, too, if the condition is read from memory both
 *     times: read it once.
 *   - Calls that block threads must not be made: they panic.
 */
#ifndef LICHEN_COOP_H
#define LICHEN_COOP_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>

/* Values of struct coop.state. */
enum coop_state {
    COOP_READY = 0,
    COOP_WAITING = 1,  /* for a signal */
    COOP_SLEEPING = 2, /* until a given time, or a signal */
    COOP_DEAD = 3,     /* killed, or come to its end */
};

/* A cooperative thread: one byte of an array. Two further arrays, which the linker lays out in the
 * same order, hold where it resumes, as an offset from its function's start, and when it wakes. */
struct coop {
    volatile uint8_t state; /* enum coop_state */
};

/* The function that the scheduler calls. `resume` is the place to resume at, or 0 for the start;
 * `self` the thread. Returns the next such place. */
typedef uintptr_t coop_fn(uintptr_t resume, struct coop *self);

/* Some optimisations take a variable that is lost at a wait for one that still has its first value,
 * and the compiler then does not report it. A body is compiled without them. */
#define COOP_CHECKED_ __attribute__((optimize(ARCH_NO_VALUE_FOR_UNDEFINED)))

/* Declares a cooperative thread and opens its body. */
#define COOP(coop_)                                                                                \
    NEVER_LOADED("a loaded program has no COOP; write THREAD");                                    \
    DECLARATION_NEEDS(coop_run); /* brings the scheduler into the program */                       \
    DECLARATION_NEEDS(coop_stack);                                                                 \
    static coop_fn coop_##_coop COOP_CHECKED_;                                                     \
    ARCH_SECOND_NAME("coop_body_" #coop_, #coop_ "_coop"); /* by which tools find the body */      \
    struct coop coop_ __attribute__((section(".bss.lichen_coop_state." #coop_), used));            \
    static uint16_t coop_##_resume                                                                 \
        __attribute__((section(".bss.lichen_coop_resume." #coop_), used));                         \
    static uint16_t coop_##_wake __attribute__((section(".bss.lichen_coop_wake." #coop_), used));  \
    static coop_fn *const coop_##_entry __attribute__((section(".lichen.coop." #coop_), used)) =   \
        coop_##_coop;                                                                              \
    static uintptr_t coop_##_coop(uintptr_t coop_resume_, struct coop *coop_self_)

/* Declares a cooperative thread that is defined in another file, or further down. */
#define COOP_EXTERN(coop_) extern struct coop coop_

/* A value outside the range of every `switch` in a program, except one on 64 bits. */
#define COOP_CASE_OUTSIDE_OF_SWITCH 0x4c49434800000000ll

#define COOP_DIAGNOSE_                                                                             \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wjump-misses-init\"")          \
        _Pragma("GCC diagnostic error \"-Wmaybe-uninitialized\"")

/* Opens the part of the body that may wait. Each place that waits is also a label of the `switch`
 * here, which is never executed: the compiler reports an inner `switch` that captures the label,
 * and variables whose initialisation a jump to it would bypass. */
#define COOP_BEGIN()                                                                               \
    if (coop_resume_ != 0) {                                                                       \
        goto *(void *)coop_resume_;                                                                \
    }                                                                                              \
    COOP_DIAGNOSE_                                                                                 \
    switch (COOP_CASE_OUTSIDE_OF_SWITCH) {                                                         \
    case COOP_CASE_OUTSIDE_OF_SWITCH:

/* Closes that part: a thread that arrives here is dead. */
#define COOP_END()                                                                                 \
    }                                                                                              \
    _Pragma("GCC diagnostic pop") coop_self_->state = COOP_DEAD;                                   \
    return 0

/* Leaves the body and resumes here next time. */
#define COOP_LEAVE_(number)                                                                        \
    do {                                                                                           \
        __label__ coop_yield_;                                                                     \
        return (uintptr_t) && coop_yield_;                                                         \
    case COOP_CASE_OUTSIDE_OF_SWITCH + 1 + (number):                                               \
    coop_yield_:;                                                                                  \
    } while (0)

/* Lets the others run.
 * context   coop, in the body
 * blocks    yes      cost  29 cycles to the next one [bench pavenet/switch_cooperative]
 */
#define coop_yield() COOP_LEAVE_(__COUNTER__)

/* Waits for a signal; returns at once if one has come since the last wait. Signals coalesce:
 * however many come before the thread runs, it runs once for them, or once more. Check for work, do
 * not count signals.
 * context   coop, in the body
 * blocks    yes
 */
#define coop_wait()                                                                                \
    do {                                                                                           \
        if (coop_wait_begin(coop_self_)) {                                                         \
            COOP_LEAVE_(__COUNTER__);                                                              \
        }                                                                                          \
    } while (0)

/* The longest piece of a sleep, ms. */
#define COOP_SLEEP_MAX_MS 30000u

/* Whether a sleep is a single piece, and a compile-time constant. */
#define COOP_ONCE_(ms) (__builtin_constant_p(ms) && (ms) <= COOP_SLEEP_MAX_MS)

/* Sleeps for at least `ms`, and up to 1 ms longer (3 ms if it would end at a multiple of 65,536 ms
 * since start-up or 1 ms after one), besides what lichen/time.h allows. A sleep of more than 30 s
 * is made of pieces of 30 s, each of which begins when the one before has ended, so their delays
 * add up. A signal ends the sleep early: for a thread that is signalled this is a wait with a
 * timeout.
 * ms        up to 49 days; beyond 30 s, or if it is not a constant, it costs 4 more bytes of RAM
 * context   coop, in the body
 * blocks    yes      cost  as time_now_us: it reads the slow clock
 */
#define coop_sleep_ms(ms)                                                                          \
    do {                                                                                           \
        static uint32_t coop_left_;                                                                \
        if (!COOP_ONCE_(ms)) {                                                                     \
            coop_left_ = (ms);                                                                     \
        }                                                                                          \
        do {                                                                                       \
            if (COOP_ONCE_(ms)) {                                                                  \
                coop_sleep_begin(coop_self_, (uint16_t)(ms));                                      \
            } else {                                                                               \
                coop_left_ = coop_sleep_piece(coop_self_, coop_left_);                             \
            }                                                                                      \
            COOP_LEAVE_(__COUNTER__);                                                              \
        } while (coop_sleep_ended(coop_self_) && !COOP_ONCE_(ms) && coop_left_ != 0);              \
    } while (0)

/* Signals a thread: makes it ready if it waits or sleeps; otherwise its next wait or sleep ends at
 * once. A dead one stays dead.
 * context   any
 * blocks    no       cost  20 cycles
 */
void coop_signal(struct coop *thread);

/* Starts a dead thread from its beginning. One that is not dead continues unchanged.
 * thread    not the caller. One that has killed itself is dead only behind its next yield: if an
 *           event or a thread adds it before that, it goes on there as if it were not killed
 * context   coop, event, thread
 * blocks    no
 */
void coop_add(struct coop *thread);

/* Makes a thread wait for a signal, whatever it is doing. If it was sleeping, the signal ends that
 * sleep. A signal that it was given before and has not seen is kept for its next wait or sleep.
 *
 * thread    not dead; the caller itself must yield before it next waits or sleeps, and waits there
 * context   coop
 * blocks    no
 */
void coop_hold(struct coop *thread);

/* Ends a thread where it waits, sleeps or has yielded; signals that it has not seen are discarded.
 * The calling thread ends at its next yield, which must come before it waits or sleeps.
 * context   coop
 * blocks    no
 */
void coop_kill(struct coop *thread);

/* Declares how much stack cooperative threads, and the functions that they call, may use in a
 * program that also has threads; the default is 512 bytes. Without threads they use the kernel's
 * stack.
 */
#define COOP_STACK(bytes)                                                                          \
    const uint8_t coop_stack = 0;                                                                  \
    uint8_t idle_stack[(bytes)]                                                                    \
        __attribute__((section(".stack.idle"), aligned(ARCH_STACK_ALIGN)));                        \
    const uint16_t idle_stack_bytes = sizeof(idle_stack)

/* The functions behind the calls above.
 * returns   true if the thread must leave its body to wait
 * context   coop
 * blocks    no
 */
bool coop_wait_begin(struct coop *self);

/* Begins to sleep.
 * ms        0 to COOP_SLEEP_MAX_MS
 * context   coop
 * blocks    no
 */
void coop_sleep_begin(struct coop *self, uint16_t ms);

/* Begins the first piece of a long sleep.
 * returns   ms, what is left of the sleep
 * context   coop
 * blocks    no
 */
uint32_t coop_sleep_piece(struct coop *self, uint32_t ms);

/* How a sleep ended.
 * returns   true if its time passed, false if a signal came
 * context   coop
 * blocks    no
 */
bool coop_sleep_ended(struct coop *self);

#endif
