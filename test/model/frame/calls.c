/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Makes one kernel call after another, as the host says. */
#include "calls.h"

#include <lichen/init.h>
#include <lichen/interrupt.h>
#include <lichen/time.h>

#include "alarms.h"
#include "coops.h"
#include "model.h"
#include "objects.h"
#include "interrupts.h"

/* What a call has received: only if it has. */
static int received(int result, uint32_t value, uint32_t *into)
{
    *into = result == 0 ? value : 0;
    return result;
}

/* In a program without cooperative threads there are none to act on. */
__attribute__((weak)) int coops_call(const struct command *command)
{
    (void)command;
    return MODEL_BEGIN;
}

/* Nor alarms in one that has none. */
__attribute__((weak)) int alarms_call(const struct command *command)
{
    (void)command;
    return MODEL_BEGIN;
}
__attribute__((weak)) void alarms_sleep(uint32_t us)
{
    (void)us;
}

/* ---------------------------------------------------------------- in threads and events */
static int objects_call(const struct command *command, uint32_t *into)
{
    unsigned object = command->object;
    uint32_t value = command->value;
    int result;
    switch (command->call) {
    case CALL_COMPUTE:
        model_compute(command->actor, value);
        return 0;
    case CALL_NOW:
        return received(0, (uint32_t)time_now_us(), into);
    case CALL_SEMAPHORE_TRY:
        return semaphore_try(semaphores[object]);
    case CALL_SEMAPHORE_POST:
        return semaphore_post(semaphores[object]);
    case CALL_CONDITION_SIGNAL:
        condition_signal(&conditions[object]);
        return 0;
    case CALL_CONDITION_BROADCAST:
        condition_broadcast(&conditions[object]);
        return 0;
    case CALL_REFERENCE_TAKE:
        return reference_take(&references[object]);
    case CALL_REFERENCE_GIVE:
        reference_give(&references[object]);
        return 0;
    case CALL_QUEUE_TRY_SEND:
        return queue_try_send(queues[object], &value);
    case CALL_QUEUE_TRY_RECEIVE:
        result = queue_try_receive(queues[object], &value);
        return received(result, value, into);
    case CALL_QUEUE_HELD:
        return received(0, queue_held(queues[object]), into);
    default:
        return command->call < CALL_ALARM_SET ? coops_call(command) : alarms_call(command);
    }
}

static int shared_call(const struct command *command, uint32_t *into)
{
    unsigned object = command->object;
    switch (command->call) {
    case CALL_NOTIFY_POST:
        notify_post(notifies[object]);
        return 0;
    case CALL_EVENT_POST:
        event_post(events[object]);
        return 0;
    case CALL_TIMER_ARM:
        return timer_arm(timers[object], command->time);
    case CALL_TIMER_ARM_AFTER:
        return timer_arm_after(timers[object], command->time);
    case CALL_TIMER_ARM_EVERY:
        return timer_arm_every(timers[object], command->time, command->value);
    case CALL_TIMER_CANCEL:
        return timer_cancel(timers[object]);
    case CALL_THREAD_START:
        return thread_start(threads[object], 0);
    case CALL_THREAD_PAUSE:
        thread_pause(threads[object]);
        return 0;
    case CALL_THREAD_RESUME:
        thread_resume(threads[object]);
        return 0;
    case CALL_THREAD_SET_PRIORITY:
        thread_set_priority(threads[object], command->other);
        return 0;
    default:
        return objects_call(command, into);
    }
}

/* ---------------------------------------------------------------- in threads */
static int sync_call(const struct command *command, uint32_t *into)
{
    unsigned object = command->object;
    uint64_t until = command->time;
    switch (command->call) {
    case CALL_SEMAPHORE_WAIT:
        semaphore_wait(semaphores[object]);
        return 0;
    case CALL_SEMAPHORE_WAIT_UNTIL:
        return semaphore_wait_until(semaphores[object], until);
    case CALL_MUTEX_LOCK:
        return mutex_lock(&mutexes[object]);
    case CALL_MUTEX_LOCK_UNTIL:
        return mutex_lock_until(&mutexes[object], until);
    case CALL_MUTEX_TRY:
        return mutex_try(&mutexes[object]);
    case CALL_MUTEX_UNLOCK:
        mutex_unlock(&mutexes[object]);
        return 0;
    case CALL_CONDITION_WAIT:
        return condition_wait(&conditions[object], &mutexes[command->other]);
    case CALL_CONDITION_WAIT_UNTIL:
        return condition_wait_until(&conditions[object], &mutexes[command->other], until);
    case CALL_BARRIER_WAIT:
        barrier_wait(barriers[object]);
        return 0;
    case CALL_BARRIER_WAIT_UNTIL:
        return barrier_wait_until(barriers[object], until);
    case CALL_REFERENCE_WAIT:
        reference_wait(&references[object]);
        return 0;
    case CALL_REFERENCE_WAIT_UNTIL:
        return reference_wait_until(&references[object], until);
    default:
        return shared_call(command, into);
    }
}

static int messages_call(const struct command *command, uint32_t *into)
{
    unsigned object = command->object;
    uint64_t until = command->time;
    uint32_t value = command->value;
    int result;
    switch (command->call) {
    case CALL_QUEUE_SEND:
        queue_send(queues[object], &value);
        return 0;
    case CALL_QUEUE_SEND_UNTIL:
        return queue_send_until(queues[object], &value, until);
    case CALL_QUEUE_RECEIVE:
        queue_receive(queues[object], &value);
        return received(0, value, into);
    case CALL_QUEUE_RECEIVE_UNTIL:
        result = queue_receive_until(queues[object], &value, until);
        return received(result, value, into);
    case CALL_NOTIFY_WAIT:
        notify_wait(notifies[object]);
        return 0;
    case CALL_NOTIFY_WAIT_UNTIL:
        return notify_wait_until(notifies[object], until);
    case CALL_SLEEP_US:
        sleep_us((uint32_t)until);
        return 0;
    case CALL_SLEEP_EXACT:
        alarms_sleep(value);
        return 0;
    case CALL_SLEEP_UNTIL:
        sleep_until_us(until);
        return 0;
    default:
        return sync_call(command, into);
    }
}

static int thread_call(const struct command *command, uint32_t *into)
{
    unsigned object = command->object;
    switch (command->call) {
    case CALL_THREAD_CREATE:
        return thread_create(&created, 0);
    case CALL_THREAD_DESTROY:
        thread_destroy(threads[object]);
        return 0;
    case CALL_THREAD_JOIN:
        thread_join(threads[object]);
        return 0;
    case CALL_THREAD_JOIN_UNTIL:
        return thread_join_until(threads[object], command->time);
    case CALL_THREAD_YIELD:
        thread_yield();
        return 0;
    default:
        return messages_call(command, into);
    }
}

void thread_act(unsigned actor)
{
    struct answer answer = {.result = MODEL_BEGIN};
    struct command command;
    for (;;) {
        model_next(actor, &answer, &command);
        if (command.call == CALL_RETURN) {
            return;
        }
        answer.result = thread_call(&command, &answer.value);
    }
}

void event_act(unsigned actor)
{
    struct answer answer = {.result = MODEL_BEGIN};
    struct command command;
    for (;;) {
        model_next(actor, &answer, &command);
        if (command.call == CALL_RETURN) {
            return;
        }
        answer.result = shared_call(&command, &answer.value);
    }
}

/* ---------------------------------------------------------------- in interrupts */
/* A queue of another level would fail an assertion. */
static inline __attribute__((always_inline)) int send_from(uint32_t value, unsigned level)
{
    return level == QUEUE_RT_LEVEL ? queue_send_from(&queue_rt, &value, level) : MODEL_BEGIN;
}

static inline __attribute__((always_inline)) int interrupt_call(const struct command *command,
                                                                unsigned level)
{
    switch (command->call) {
    case CALL_COMPUTE:
        model_compute(command->actor, command->value);
        return 0;
    case CALL_EVENT_POST:
        event_post_from(events[command->object], level);
        return 0;
    case CALL_NOTIFY_POST:
        notify_post_from(notifies[command->object], level);
        return 0;
    case CALL_SEMAPHORE_POST_FROM:
        semaphore_post_from(&semaphore_rt, level);
        return 0;
    case CALL_QUEUE_SEND_FROM:
        return send_from(command->value, level);
    default:
        return coops_call(command);
    }
}

static inline __attribute__((always_inline)) void interrupt_act(unsigned level)
{
    struct answer answer = {.result = MODEL_BEGIN};
    struct command command;
    for (;;) {
        model_next(ACTOR_INTERRUPT + level, &answer, &command);
        if (command.call == CALL_RETURN) {
            return;
        }
        answer.result = interrupt_call(&command, level);
    }
}

MODEL_INTERRUPTS(interrupt_act)

/* The interrupt lines are enabled before the first thread asks. */
static void levels_enable(void)
{
    software_interrupts_enable();
}
INIT(levels_enable);
