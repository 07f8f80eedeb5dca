/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "objects.h"

#include "machine.h"

#include <lichen/woven.h>

#include "model.h"

/* Objects that must be declared are in each program's own file, threads.c. */
extern struct thread thread_0, thread_1, thread_2, thread_3, thread_4;

static THREAD_STACK(created_stack, MODEL_STACK);
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
    event_act(ACTOR_EVENT + 0);
}
EVENT(event_1)
{
    event_act(ACTOR_EVENT + 1);
}
EVENT(event_2)
{
    event_act(ACTOR_EVENT + 2);
}
EVENT(event_3)
{
    event_act(ACTOR_EVENT + 3);
}
EVENT(event_4)
{
    event_act(ACTOR_EVENT + 4);
}
EVENT(event_5)
{
    event_act(ACTOR_EVENT + 5);
}
EVENT(event_6)
{
    event_act(ACTOR_EVENT + 6);
}
struct event *const events[EVENTS] = {&event_0, &event_1, &event_2, &event_3,
                                      &event_4, &event_5, &event_6};

WOVEN(pair_0, event_3, event_4)
{
    event_act(ACTOR_PAIR);
}
WOVEN(pair_1, pair_0, event_5)
{
    event_act(ACTOR_PAIR + 1);
}
WOVEN(pair_2, event_3, event_6)
{
    event_act(ACTOR_PAIR + 2);
}

MUTEX(mutexes[MUTEXES]);

SEMAPHORE(semaphore_0, 0);
SEMAPHORE(semaphore_1, 2);
SEMAPHORE_RT(semaphore_rt, 0);
SEMAPHORE(semaphore_3, UINT16_MAX - 1);
struct semaphore *const semaphores[SEMAPHORES] = {&semaphore_0, &semaphore_1,
                                                  &semaphore_rt.semaphore, &semaphore_3};

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
TIMER(timer_3, event_3);
TIMER(timer_4, event_4);
TIMER(timer_5, event_5);
TIMER(timer_6, event_6);
struct timer *const timers[TIMERS] = {&timer_0, &timer_1, &timer_2, &timer_3,
                                      &timer_4, &timer_5, &timer_6};
