/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Makes one kernel call after another, as the host says. */
#include "calls.h"

#include <lichen/init.h>
#include <lichen/interrupt.h>
#include <lichen/time.h>

#include "coops.h"
#include "model.h"
#include "objects.h"
#include "software_interrupt.h"

static struct answer done(int result)
{
    return (struct answer){.result = result};
}

static struct answer received(int result, uint32_t value)
{
    return (struct answer){.result = result, .value = result == 0 ? value : 0};
}

/* In a program without cooperative threads there are none to act on. */
__attribute__((weak)) struct answer coops_call(const struct command *command)
{
    (void)command;
    return done(MODEL_BEGIN);
}

/* ---------------------------------------------------------------- in threads and events */
static struct answer objects_call(const struct command *command)
{
    unsigned object = command->object;
    uint32_t value = command->value;
    int result;
    switch (command->call) {
    case CALL_COMPUTE:
        model_compute(command->actor, value);
        return done(0);
    case CALL_NOW:
        return (struct answer){.value = (uint32_t)time_now_us()};
    case CALL_SEMAPHORE_TRY:
        return done(semaphore_try(semaphores[object]));
    case CALL_SEMAPHORE_POST:
        return done(semaphore_post(semaphores[object]));
    case CALL_CONDITION_SIGNAL:
        condition_signal(&conditions[object]);
        return done(0);
    case CALL_CONDITION_BROADCAST:
        condition_broadcast(&conditions[object]);
        return done(0);
    case CALL_REFERENCE_TAKE:
        return done(reference_take(&references[object]));
    case CALL_REFERENCE_GIVE:
        reference_give(&references[object]);
        return done(0);
    case CALL_QUEUE_TRY_SEND:
        return done(queue_try_send(queues[object], &value));
    case CALL_QUEUE_TRY_RECEIVE:
        result = queue_try_receive(queues[object], &value);
        return received(result, value);
    case CALL_QUEUE_HELD:
        return received(0, queue_held(queues[object]));
    default:
        return coops_call(command);
    }
}

static struct answer shared_call(const struct command *command)
{
    unsigned object = command->object;
    switch (command->call) {
    case CALL_NOTIFY_POST:
        notify_post(notifies[object]);
        return done(0);
    case CALL_EVENT_POST:
        event_post(events[object]);
        return done(0);
    case CALL_TIMER_ARM:
        return done(timer_arm(timers[object], command->time));
    case CALL_TIMER_ARM_AFTER:
        return done(timer_arm_after(timers[object], command->time));
    case CALL_TIMER_ARM_EVERY:
        return done(timer_arm_every(timers[object], command->time, command->value));
    case CALL_TIMER_CANCEL:
        return done(timer_cancel(timers[object]));
    case CALL_THREAD_START:
        return done(thread_start(threads[object], 0));
    case CALL_THREAD_PAUSE:
        thread_pause(threads[object]);
        return done(0);
    case CALL_THREAD_RESUME:
        thread_resume(threads[object]);
        return done(0);
    case CALL_THREAD_SET_PRIORITY:
        thread_set_priority(threads[object], command->other);
        return done(0);
    default:
        return objects_call(command);
    }
}

/* ---------------------------------------------------------------- in threads */
static struct answer sync_call(const struct command *command)
{
    unsigned object = command->object;
    uint64_t until = command->time;
    switch (command->call) {
    case CALL_SEMAPHORE_WAIT:
        semaphore_wait(semaphores[object]);
        return done(0);
    case CALL_SEMAPHORE_WAIT_UNTIL:
        return done(semaphore_wait_until(semaphores[object], until));
    case CALL_MUTEX_LOCK:
        return done(mutex_lock(&mutexes[object]));
    case CALL_MUTEX_LOCK_UNTIL:
        return done(mutex_lock_until(&mutexes[object], until));
    case CALL_MUTEX_TRY:
        return done(mutex_try(&mutexes[object]));
    case CALL_MUTEX_UNLOCK:
        mutex_unlock(&mutexes[object]);
        return done(0);
    case CALL_CONDITION_WAIT:
        return done(condition_wait(&conditions[object], &mutexes[command->other]));
    case CALL_CONDITION_WAIT_UNTIL:
        return done(condition_wait_until(&conditions[object], &mutexes[command->other], until));
    case CALL_BARRIER_WAIT:
        barrier_wait(barriers[object]);
        return done(0);
    case CALL_BARRIER_WAIT_UNTIL:
        return done(barrier_wait_until(barriers[object], until));
    case CALL_REFERENCE_WAIT:
        reference_wait(&references[object]);
        return done(0);
    case CALL_REFERENCE_WAIT_UNTIL:
        return done(reference_wait_until(&references[object], until));
    default:
        return shared_call(command);
    }
}

static struct answer messages_call(const struct command *command)
{
    unsigned object = command->object;
    uint64_t until = command->time;
    uint32_t value = command->value;
    int result;
    switch (command->call) {
    case CALL_QUEUE_SEND:
        queue_send(queues[object], &value);
        return done(0);
    case CALL_QUEUE_SEND_UNTIL:
        return done(queue_send_until(queues[object], &value, until));
    case CALL_QUEUE_RECEIVE:
        queue_receive(queues[object], &value);
        return received(0, value);
    case CALL_QUEUE_RECEIVE_UNTIL:
        result = queue_receive_until(queues[object], &value, until);
        return received(result, value);
    case CALL_NOTIFY_WAIT:
        notify_wait(notifies[object]);
        return done(0);
    case CALL_NOTIFY_WAIT_UNTIL:
        return done(notify_wait_until(notifies[object], until));
    case CALL_SLEEP_US:
        sleep_us((uint32_t)until);
        return done(0);
    case CALL_SLEEP_UNTIL:
        sleep_until_us(until);
        return done(0);
    default:
        return sync_call(command);
    }
}

static struct answer thread_call(const struct command *command)
{
    unsigned object = command->object;
    switch (command->call) {
    case CALL_THREAD_CREATE:
        return done(thread_create(&created, 0));
    case CALL_THREAD_DESTROY:
        thread_destroy(threads[object]);
        return done(0);
    case CALL_THREAD_JOIN:
        thread_join(threads[object]);
        return done(0);
    case CALL_THREAD_JOIN_UNTIL:
        return done(thread_join_until(threads[object], command->time));
    case CALL_THREAD_YIELD:
        thread_yield();
        return done(0);
    default:
        return messages_call(command);
    }
}

void thread_act(unsigned actor)
{
    struct answer answer = done(MODEL_BEGIN);
    for (;;) {
        struct command command = model_next(actor, answer);
        if (command.call == CALL_RETURN) {
            return;
        }
        answer = thread_call(&command);
    }
}

void event_act(unsigned actor)
{
    struct answer answer = done(MODEL_BEGIN);
    for (;;) {
        struct command command = model_next(actor, answer);
        if (command.call == CALL_RETURN) {
            return;
        }
        answer = shared_call(&command);
    }
}

/* ---------------------------------------------------------------- in interrupts */
/* A queue of another level would fail an assertion. */
static inline __attribute__((always_inline)) int send_from(uint32_t value, unsigned level)
{
    return level == QUEUE_RT_LEVEL ? queue_send_from(&queue_rt, &value, level) : MODEL_BEGIN;
}

static inline __attribute__((always_inline)) struct answer
interrupt_call(const struct command *command, unsigned level)
{
    switch (command->call) {
    case CALL_COMPUTE:
        model_compute(command->actor, command->value);
        return done(0);
    case CALL_EVENT_POST:
        event_post_from(events[command->object], level);
        return done(0);
    case CALL_NOTIFY_POST:
        notify_post_from(notifies[command->object], level);
        return done(0);
    case CALL_SEMAPHORE_POST_FROM:
        semaphore_post_from(&semaphore_rt, level);
        return done(0);
    case CALL_QUEUE_SEND_FROM:
        return done(send_from(command->value, level));
    default:
        return coops_call(command);
    }
}

static inline __attribute__((always_inline)) void interrupt_act(unsigned level)
{
    struct answer answer = done(MODEL_BEGIN);
    for (;;) {
        struct command command = model_next(ACTOR_INTERRUPT + level, answer);
        if (command.call == CALL_RETURN) {
            return;
        }
        answer = interrupt_call(&command, level);
    }
}

INTERRUPT(TCC0)
{
    interrupt_act(0);
}
INTERRUPT(TCC1)
{
    interrupt_act(1);
}
INTERRUPT(TCC2)
{
    interrupt_act(2);
}

/* The interrupt lines are enabled before the first thread asks. */
static void levels_enable(void)
{
    software_interrupts_enable();
}
INIT(levels_enable);
