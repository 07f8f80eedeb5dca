/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The objects of the actors' calls. The model starts with the same ones (host/dev/model/src/lib.rs,
 * Model::new).
 */
#ifndef TEST_MODEL_FRAME_OBJECTS_H
#define TEST_MODEL_FRAME_OBJECTS_H

#include <lichen/barrier.h>
#include <lichen/condition.h>
#include <lichen/event.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/reference.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/timer.h>

#define THREADS    6u /* the last one is made at run time */
#define EVENTS     7u /* each with a timer; the last four are halves of woven pairs */
#define MUTEXES    3u
#define SEMAPHORES 4u /* `semaphore_rt`, and behind it one that is nearly full */
#define CONDITIONS 2u
#define BARRIERS   2u
#define REFERENCES 1u
#define QUEUES     3u /* the last one is `queue_rt` */
#define NOTIFIES   2u
#define TIMERS     EVENTS

/* The level of the interrupts that fill `queue_rt`. */
#define QUEUE_RT_LEVEL 1u

extern struct thread *const threads[THREADS];
extern struct thread_created created;
extern struct event *const events[EVENTS];
extern struct mutex mutexes[MUTEXES];
extern struct semaphore *const semaphores[SEMAPHORES];
extern struct semaphore_rt semaphore_rt;
extern struct condition conditions[CONDITIONS];
extern struct barrier *const barriers[BARRIERS];
extern struct reference references[REFERENCES];
extern struct queue *const queues[QUEUES];
extern struct queue_rt queue_rt;
extern struct notify *const notifies[NOTIFIES];
extern struct timer *const timers[TIMERS];

/* What an actor of each kind does. */
void thread_act(unsigned actor);
void event_act(unsigned actor); /* woven pairs do the same */

#endif
