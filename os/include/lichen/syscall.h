/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* System calls that may block: their life cycle, and how a service makes one. For services, not for
 * applications.
 *
 * A thread that may have to wait describes its call in a struct syscall on its own stack and hands
 * it to the kernel level. There the call either ends at once, or is pending: it is in a list of the
 * service, and in the kernel's list of deadlines if it has one. Whatever ends it, an event of the
 * service, the deadline, or the end of the thread, takes it out of both lists; only then does the
 * thread run again. So kernel and service never hold memory of a call that has returned, and since
 * all of this happens at the kernel level there is nothing to lock and nothing to race.
 *
 *     syscall_run         in the thread: call filled in, SVC to the kernel level
 *       your service      at the kernel level: done already? return the result
 *         syscall_wait_in else the thread waits, in the service's list, most urgent caller first
 *     ...                 other threads run, interrupts and events do the work
 *     syscall_end         at the kernel level: out of all lists, result stored, thread ready
 *     syscall_run         in the thread: returns the result
 *
 * Recipe for a blocking call around a split-phase service, here one that reads a sensor:
 *
 *     struct sensor_call { struct syscall syscall; uint16_t value; };
 *     static struct syscall *waiting;                     the calls that wait; kernel level
 *
 *     EVENT(converted)                                    posted by the driver's interrupt
 *     {
 *         if (waiting != 0) {
 *             ((struct sensor_call *)waiting)->value = sensor_result();
 *             syscall_end(waiting, 0);
 *         }
 *     }
 *
 *     static int sensor_service(void *call)
 *     {
 *         sensor_convert();
 *         return syscall_wait_in(call, &waiting);
 *     }
 *
 *     int sensor_read(uint16_t *value, uint64_t deadline)
 *     {
 *         struct sensor_call call;
 *         int error = syscall_run_until(sensor_service, &call.syscall, deadline);
 *         if (error == 0) {
 *             *value = call.value;
 *         }
 *         return error;
 *     }
 *
 * Several threads may call; each event ends the call of the most urgent one. Timeouts, destroyed
 * threads and changed priorities are handled. A service that must know when something else ends a
 * call sets `cancel` before it waits. Real examples: sleeping, which waits only for its deadline
 * (os/kernel/time/sleep.c), and the serial console (os/driver/console/console.c).
 */
#ifndef LICHEN_SYSCALL_H
#define LICHEN_SYSCALL_H

#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/timer.h>

struct thread;

/* A pending call; the first field of a service's own structure, if it needs more. Filled in by
 * syscall_run, except `object`, then written at the kernel level only. */
struct syscall {
    struct syscall *next;                 /* the next one of its list */
    struct thread *thread;                /* the caller, once it waits */
    struct syscall **list;                /* the list it is in; 0: none */
    void (*cancel)(struct syscall *call); /* called when a deadline or the thread's end has
                                                taken it out of its list; 0: none */
    struct deadline deadline;             /* when the wait ends at the latest */
    int result;                           /* enum error, when the call has ended */
    void *object;                         /* what the call is about; the service's */
};

/* Runs fn(call) at the kernel level, and returns when the call has ended.
 * fn        returns 0 or an enum error; 0 also after syscall_wait or syscall_wait_in
 * returns   what fn returned if that is not 0, else the result given to syscall_end
 * context   thread (elsewhere it panics, PANIC_CONTEXT)
 * blocks    yes, if the call does
 * owns      the call is the kernel's until this returns
 */
int syscall_run(arch_call_fn *fn, struct syscall *call);

/* The same, until the deadline at most.
 * deadline  microseconds of the system clock; if it is past, a call that must wait ends at once
 * returns   as syscall_run, or ERR_TIMEOUT
 * context   thread
 * blocks    yes, if the call does
 */
int syscall_run_until(arch_call_fn *fn, struct syscall *call, uint64_t deadline);

/* syscall_run for a call that needs no more than its object.
 * returns   as syscall_run
 * context   thread
 * blocks    yes, if the call does
 */
int syscall_run_on(arch_call_fn *fn, void *object);

/* syscall_run_until for such a call.
 * returns   as syscall_run, or ERR_TIMEOUT
 * context   thread
 * blocks    yes, if the call does
 */
int syscall_run_on_until(arch_call_fn *fn, void *object, uint64_t deadline);

/* Makes the calling thread wait until syscall_end or the deadline.
 * returns   0
 * context   event (in a call)
 * blocks    no
 */
int syscall_wait(struct syscall *call);

/* The same for a call whose deadline is a relative time, which counts from now.
 * returns   0
 * context   event (in a call of syscall_run_until)
 * blocks    no
 */
int syscall_wait_after(void *call);

/* Makes the calling thread wait in a list, behind the calls of threads of equal or higher priority.
 * returns   0
 * context   event (in a call)
 * blocks    no       cost  O(n) calls in the list
 */
int syscall_wait_in(struct syscall *call, struct syscall **list);

/* Ends the call of a waiting thread, which becomes ready.
 * result    0 or an enum error, what the call returns
 * context   event
 * blocks    no       cost  O(n) deadlines if it has one
 */
void syscall_end(struct syscall *call, int result);

/* Ends all calls of a list.
 * context   event
 * blocks    no
 */
void syscall_end_all(struct syscall **list, int result);

#endif
