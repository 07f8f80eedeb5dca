/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The life of a blocking call, and how a service makes one. For services, not for applications.
 *
 * A thread that may have to wait describes its call in a message on its own stack and hands it to
 * the kernel level. There the call either ends at once, or keeps the message: in a list of the
 * service, and in the kernel's list of deadlines. Whatever ends the call, an event of the service,
 * a deadline, or the end of the thread, takes the message out of both; only then does the thread
 * run again. So kernel and service never hold memory of a call that has returned, and since all of
 * it happens at the kernel level there is nothing to lock and nothing to race.
 *
 *     message_call        in the thread: message filled in, SVC to the kernel level
 *       your call         at the kernel level: done already? return the result
 *         message_wait_in else the thread waits, in the service's list, most urgent caller first
 *     ...                 other threads run, interrupts and events do the work
 *     message_end         at the kernel level: out of all lists, result stored, thread ready
 *     message_call        in the thread: returns the result
 *
 * Recipe for a blocking call around a split-phase service, here one that reads a sensor:
 *
 *     struct read { struct message message; uint16_t value; };
 *     static struct message *reading;                     who waits; kernel level
 *
 *     EVENT(converted)                                    posted by the driver's interrupt
 *     {
 *         if (reading != 0) {
 *             ((struct read *)reading)->value = sensor_value();
 *             message_end(reading, 0);
 *         }
 *     }
 *
 *     static int read(void *call)
 *     {
 *         sensor_start();
 *         return message_wait_in(call, &reading);
 *     }
 *
 *     int sensor_read(uint16_t *value, uint64_t deadline)
 *     {
 *         struct read call;
 *         int error = message_call_until(read, &call.message, deadline);
 *         *value = call.value;
 *         return error;
 *     }
 *
 * Several threads may call; each event ends the call of the most urgent one. Timeouts, destroyed
 * threads and changed priorities are dealt with. A service that must be told when a call
 * ends without it sets `cancel` before it waits. Real ones: sleeping, which waits for its deadline
 * alone (os/kernel/time/sleep.c), and the serial console (os/driver/console/console.c).
 */
#ifndef LICHEN_MESSAGE_H
#define LICHEN_MESSAGE_H

#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/thread.h>
#include <lichen/timer.h>

/* A call under way; first field of a service's own structure, if it needs more. Filled in by
 * message_call, then written at the kernel level only. */
struct message {
    struct message *next;                    /* the next one of its list */
    struct thread *thread;                   /* the caller, once it waits */
    struct deadline deadline;                /* when the wait ends at the latest */
    struct message **list;                   /* the list it is in; 0: none */
    void *object;                            /* what the call is about; the service's */
    void (*cancel)(struct message *message); /* told when a deadline or the thread's end took it out
                                                of its list; 0: nobody */
    int result;                              /* enum error, when the call has ended */
};

/* Runs `call` with the message at the kernel level, and returns when the call has ended.
 * call      returns 0 or an enum error, or, as its last act, message_wait
 * returns   what the call returned if that is not 0, else the result given to message_end
 * context   thread (elsewhere it panics, PANIC_CONTEXT)
 * blocks    yes, if the call does
 * owns      the message is the kernel's until this returns
 */
int message_call(arch_call_fn *call, struct message *message);

/* The same, until a moment at most.
 * deadline  microseconds of the system clock; if it has passed, a call that would wait ends as soon
 *           as it does
 * returns   as message_call, or ERR_TIMEOUT
 * context   thread
 * blocks    yes, if the call does
 */
int message_call_until(arch_call_fn *call, struct message *message, uint64_t deadline);

/* message_call for a call that needs no more than its object.
 * returns   as message_call
 * context   thread
 * blocks    yes, if the call does
 */
int message_do(arch_call_fn *call, void *object);

/* message_call_until for such a call.
 * returns   as message_call, or ERR_TIMEOUT
 * context   thread
 * blocks    yes, if the call does
 */
int message_do_until(arch_call_fn *call, void *object, uint64_t deadline);

/* Makes the calling thread wait until message_end or the deadline.
 * returns   0
 * context   event (in a call)
 * blocks    no
 */
int message_wait(struct message *message);

/* The same for a call whose deadline is a length, which counts from now.
 * returns   0
 * context   event (in a call of message_call_until)
 * blocks    no
 */
int message_wait_after(void *message);

/* Makes the calling thread wait in a list, behind those of at least its priority.
 * returns   0
 * context   event (in a call)
 * blocks    no       cost  O(n) calls in the list
 */
int message_wait_in(struct message *message, struct message **list);

/* Ends the call of a waiting thread, which becomes ready.
 * result    0 or an enum error, what the call returns
 * context   event
 * blocks    no       cost  O(n) deadlines if it has one
 */
void message_end(struct message *message, int result);

/* Ends all calls of a list.
 * context   event
 * blocks    no
 */
void message_end_all(struct message **list, int result);

#endif
