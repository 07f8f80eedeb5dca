/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "objects.h"

#include "model.h"

/* Three pairs of equals; the linker starts equals in the order of their names. */
THREAD(thread_0, 512, 10)
{
    thread_act(0);
}
THREAD(thread_1, 512, 8)
{
    thread_act(1);
}
THREAD(thread_2, 512, 8)
{
    thread_act(2);
}
THREAD(thread_3, 512, 4)
{
    thread_act(3);
}
THREAD_STOPPED(thread_4, 512, 4)
{
    thread_act(4);
}

static THREAD_STACK(created_stack, 512);
static void created_entry(void *argument)
{
    (void)argument;
    thread_act(5);
}
struct thread_created created = {.info = {.entry = created_entry,
                                          .stack = created_stack,
                                          .stack_bytes = sizeof(created_stack),
                                          .name = "created",
                                          .priority = 6},
                                 .thread = {.state = THREAD_STOPPED}};

struct thread *const threads[THREADS] = {&thread_0, &thread_1, &thread_2,
                                         &thread_3, &thread_4, &created.thread};

EVENT(event_0)
{
    event_act(0);
}
EVENT(event_1)
{
    event_act(1);
}
EVENT(event_2)
{
    event_act(2);
}
struct event *const events[EVENTS] = {&event_0, &event_1, &event_2};

MUTEX(mutexes[MUTEXES]);

SEMAPHORE(semaphore_0, 0);
SEMAPHORE(semaphore_1, 2);
SEMAPHORE_RT(semaphore_rt, 0);
struct semaphore *const semaphores[SEMAPHORES] = {&semaphore_0, &semaphore_1,
                                                  &semaphore_rt.semaphore};

struct condition conditions[CONDITIONS];

BARRIER(barrier_of_2, 2);
BARRIER(barrier_of_3, 3);
struct barrier *const barriers[BARRIERS] = {&barrier_of_2, &barrier_of_3};

struct reference references[REFERENCES];

QUEUE(queue_of_1, uint32_t, 1);
QUEUE(queue_of_3, uint32_t, 3);
QUEUE_RT(queue_rt, uint32_t, 2, QUEUE_RT_LEVEL);
struct queue *const queues[QUEUES] = {&queue_of_1, &queue_of_3, &queue_rt.queue};

NOTIFY(notify_0);
NOTIFY(notify_1);
struct notify *const notifies[NOTIFIES] = {&notify_0, &notify_1};

TIMER(timer_0, event_0);
TIMER(timer_1, event_1);
TIMER(timer_2, event_2);
struct timer *const timers[TIMERS] = {&timer_0, &timer_1, &timer_2};
