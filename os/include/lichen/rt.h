/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Real-time tasks: functions that are interrupt handlers and nothing else.
 *
 *     RT_TASK(sample, RT_TIMER_A, .priority = 0, .period_us = 10000, .deadline_us = 100,
 *             .wcet_cycles = 120)
 *     {
 *         rt_acknowledge();
 *         ... take the sample ...
 *         rt_notify(&sampled);
 *     }
 *     ... rt_period_start(sample); ...
 *
 * The interrupt controller is their scheduler: between a request and the first instruction there is
 * only the hardware's exception entry, and nothing in the kernel or drivers delays it. A task of
 * priority 0 preempts everything else, one of priority 1 everything but tasks of priority 0; tasks
 * of the same priority wait for each other. Drivers, events and threads come after both, except
 * that on the ATmega128 drivers and tasks of priority 1 wait for each other. Threads have
 * priorities on another scale, on which the larger number is the more urgent one:
 * doc/guide/8-which-kind-of-work.md has both side by side.
 *
 * A task runs to completion on the stack of whatever it interrupts. It signals the rest of the
 * program with the calls whose context says rt; they need the task's level, which is `rt_level` in
 * its body. It must not make calls that are for events and threads: `lichen build` refuses a
 * program in which it could.
 *
 * The declaration is kept in the image's section .lichen_rt for tools; it takes no flash. A task
 * costs 20 bytes of flash for its start-up and no RAM.
 */
#ifndef LICHEN_RT_H
#define LICHEN_RT_H

#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/assert.h>
#include <lichen/chip.h>
#include <lichen/loaded.h>

/* What a task declares. */
struct rt_declaration {
    uint8_t priority;     /* 0, more urgent, or 1: below ARCH_RT_LEVELS */
    uint16_t max_wake_us; /* the longest time that waking may take; 0: no limit */
    uint32_t period_us;   /* least time between two requests */
    uint32_t deadline_us; /* after a request, at most the period */
    uint32_t wcet_cycles; /* most cycles of its function */
};

/* The description of a task that tools read. */
struct rt_task {
    char name[24];
    char vector[12];
    struct rt_declaration declared;
};

/* Errors in a declaration, found by the compiler: a call of one of these is left where there is an
 * error. */
#define RT_REFUSE(name, text) void name(void) __attribute__((error(text)))
RT_REFUSE(rt_priority_is_wrong,
          ".priority of a real-time task is 0 or 1; from 2 on it is drivers'");
RT_REFUSE(rt_period_is_missing,
          "a real-time task needs .period_us; write the least time between two requests");
RT_REFUSE(rt_deadline_is_missing,
          "a real-time task needs .deadline_us; write how long after a request it must have ended");
RT_REFUSE(rt_deadline_is_too_long,
          "the .deadline_us of a real-time task is at most its .period_us; make it shorter");
RT_REFUSE(rt_wcet_is_missing,
          "a real-time task needs .wcet_cycles; write the most cycles that its function takes");

/* Refuses a wrong declaration as the program is compiled. RT_TASK calls it.
 * context   init
 * blocks    no
 */
static inline __attribute__((always_inline)) void rt_check(const struct rt_declaration *declared)
{
    if (declared->priority >= ARCH_RT_LEVELS) {
        rt_priority_is_wrong();
    }
    if (declared->period_us == 0) {
        rt_period_is_missing();
    }
    if (declared->deadline_us == 0) {
        rt_deadline_is_missing();
    }
    if (declared->deadline_us > declared->period_us) {
        rt_deadline_is_too_long();
    }
    if (declared->wcet_cycles == 0) {
        rt_wcet_is_missing();
    }
}

/* Declares a task and opens its body.
 * task      its name
 * vector    of the chip's table; one that does not exist does not link, and neither do two handlers
 *           of one
 * ...       what it declares: fields of struct rt_declaration
 */
#define RT_TASK(task, vector, ...) RT_TASK_PLACED_(, task, vector, __VA_ARGS__)

/* The same, with the task's code and the vector table in RAM: its timing does not depend on flash
 * wait states, nor on whether flash is being written (RT_MAY_WAIT_FOR_FLASH). The functions and
 * constants of its own that it uses are placed there with RT_IN_RAM; those of the system stay in
 * flash. At 48 MHz a short task ends after 69 cycles instead of 74 [bench pavenet/task_ram].
 */
#define RT_TASK_IN_RAM(task, vector, ...)                                                          \
    _Static_assert(!ARCH_FLASH_IS_APART,                                                           \
                   "task " #task " cannot be placed in RAM: this chip executes code from "         \
                   "flash only; write RT_TASK");                                                   \
    DECLARATION_NEEDS(rt_vectors_in_ram); /* brings that into the program: os/kernel/rt/ram.c */   \
    RT_TASK_PLACED_(RT_IN_RAM(task), task, vector, __VA_ARGS__)

/* Says, in one file of the program, that its tasks in flash may wait while it writes flash: up to
 * 6 ms on the SAM R21 (lichen/log.h), where the processor cannot read flash meanwhile; on the
 * ATmega128 tasks of priority 1 wait for 8.2 ms in a program that writes its own flash. Without it,
 * `lichen build` refuses a program that writes flash and has such tasks.
 */
#define RT_MAY_WAIT_FOR_FLASH                                                                      \
    __asm__(".global rt_may_wait_for_flash\n.set rt_may_wait_for_flash, 0")

/* Places a function or constant in RAM. It is copied there at start-up, so it takes flash too. */
#define RT_IN_RAM(name) __attribute__((section(".ram_code." #name), noinline))

/* Places a function that tasks of priority 0 call, in a program for the ATmega128 that writes its
 * own flash: beside those tasks, as nothing else can be fetched meanwhile. `lichen build` refuses
 * calls of others. What the tasks read must be in RAM then, where constants are that are no
 * ARCH_FLASH and no texts.
 */
#define RT_IN_BOOT(name) __attribute__((section(".text.boot." #name), noinline))

/* A chip may give a vector a second name: RT_TIMER_A. */
#define RT_TASK_PLACED_(...) RT_TASK_PLACED(__VA_ARGS__)

#define RT_TASK_PLACED(place, task, vector_, ...)                                                  \
    NEVER_LOADED("a loaded program has no RT_TASK; declare it in the image, or use a TIMER");      \
    extern const uint8_t interrupt_vector_##vector_[];                                             \
    extern volatile uint8_t rt_timer_##vector_[];                                                  \
    static const struct rt_task task##_rt __attribute__((section(".lichen.rt." #task), used)) = {  \
        .name = #task, .vector = #vector_, .declared = {__VA_ARGS__}};                             \
    static void task##_rt_arm(void)                                                                \
    {                                                                                              \
        rt_check(&task##_rt.declared);                                                             \
        ARCH_RT_ENTRY(task, vector_, task##_rt.declared.priority);                                 \
        rt_arm((unsigned)(uintptr_t)interrupt_vector_##vector_, task##_rt.declared.priority);      \
        if (task##_rt.declared.max_wake_us != 0) {                                                 \
            rt_wake_within(task##_rt.declared.max_wake_us);                                        \
        }                                                                                          \
    }                                                                                              \
    static void (*const task##_rt_start)(void)                                                     \
        __attribute__((section(".lichen.start.rt_" #task), used)) = task##_rt_arm;                 \
    DECLARATION_NEEDS(kernel_has_starts); /* os/kernel/starts.c */                                 \
    static inline void task##_rt_period_start(void)                                                \
    {                                                                                              \
        rt_timer_start(rt_timer_##vector_, task##_rt.declared.period_us);                          \
    }                                                                                              \
    static inline void task##_rt_period_change(uint32_t period_us_)                                \
    {                                                                                              \
        assert(period_us_ >= task##_rt.declared.period_us);                                        \
        rt_timer_start(rt_timer_##vector_, period_us_);                                            \
    }                                                                                              \
    static inline void task##_rt_period_stop(void)                                                 \
    {                                                                                              \
        rt_timer_stop(rt_timer_##vector_);                                                         \
    }                                                                                              \
    static inline __attribute__((always_inline)) void task##_rt_run(const unsigned rt_level,       \
                                                                    volatile uint8_t *rt_timer_);  \
    ARCH_RT_HANDLER(place, task, vector_)                                                          \
    {                                                                                              \
        task##_rt_run(task##_rt.declared.priority, rt_timer_##vector_);                            \
    }                                                                                              \
    static inline __attribute__((always_inline)) void task##_rt_run(                               \
        const unsigned rt_level __attribute__((unused)),                                           \
        volatile uint8_t *rt_timer_ __attribute__((unused)))

/* Runs a task every .period_us by the timer of its vector. The first run is one period from now,
 * and all periods are equal: a whole number of the timer's counts. On the SAM R21 it counts eighths
 * of a microsecond, so periods up to 65 ms are exact, and longer ones are rounded by 31 ppm at
 * most. On the ATmega128 it counts the processor's cycles, of 135.6 ns, and periods are rounded to
 * one, those beyond 8.8 ms to 8, 64, 256 or 1024 of them: 500 us are 499.946 us. While a timer
 * runs, the mote sleeps no deeper than the timer allows.
 * task      of this file, on the vector of a timer: RT_TIMER_A, RT_TIMER_B, on the SAM R21 also
 *           RT_TIMER_C; on any other this does not link, nor beside what else needs the timer
 *           (doc/guide/8-which-kind-of-work.md). Its period is at most 8.3 s
 * context   init, event, thread, coop
 * blocks    no
 */
#define rt_period_start(task) task##_rt_period_start()

/* Changes the period of a task, which may be running, to one that is at least .period_us. The next
 * run is one such period from now, and the one that would have come before is left out; a request
 * that is pending is still served. rt_period_start returns to .period_us.
 * task      as above
 * us        the period, rounded as above; less than .period_us, or too long, asserts
 * context   init, event, thread, coop
 * blocks    no
 */
#define rt_period_change(task, us) task##_rt_period_change(us)

/* Stops the periodic runs. A request that is pending is still served.
 * task      as above
 * context   init, event, thread, coop
 * blocks    no
 */
#define rt_period_stop(task) task##_rt_period_stop()

/* In a task that is driven by a timer: clears the request. Without it the task runs again at once
 * on the SAM R21; on the ATmega128 the processor has cleared the request, and this does nothing.
 * context   rt, in the body
 * blocks    no       cost  5 cycles, or none
 */
#define rt_acknowledge() CHIP_RT_ACKNOWLEDGE(rt_timer_)

/* In a task, at its level: what event_post_from, notify_post_from, semaphore_post_from and
 * queue_send_from do. A queue is declared for one level: QUEUE_RT.
 * context   rt, in the body
 * blocks    no
 */
#define rt_post(event)                event_post_from((event), rt_level)
#define rt_notify(notify)             notify_post_from((notify), rt_level)
#define rt_semaphore_post(semaphore)  semaphore_post_from((semaphore), rt_level)
#define rt_queue_send(queue, message) queue_send_from((queue), (message), rt_level)

/* Sets the level of a vector and enables its requests. Called at start-up, for each task.
 * context   init
 * blocks    no
 */
void rt_arm(unsigned vector, uint8_t priority);

/* Permanently disallows every sleep mode from which the mote needs longer to wake. Less than the
 * lightest mode's time (SAM R21: 4 us) panics.
 * context   init
 * blocks    no
 */
void rt_wake_within(uint16_t max_wake_us);

/* Starts a timer: the function behind rt_period_start.
 * timer     as the chip names it: rt_timer_TC3
 * context   init, event, thread, coop
 * blocks    no
 */
void rt_timer_start(volatile uint8_t *timer, uint32_t period_us);

/* Stops a timer. One that is not running stays as it is.
 * context   init, event, thread, coop
 * blocks    no
 */
void rt_timer_stop(volatile uint8_t *timer);

#endif
