/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the link's files call of the kernel and of drivers, where nothing waits and nothing else
 * runs. */
#include <lichen/mutex.h>
#include <lichen/radio.h>
#include <lichen/random.h>
#include <lichen/serial_number.h>

#include <string.h>

#include <lichen/counter.h>
#include <lichen/queue.h>

#include "../host/host.h"
#include "crypto/aes.h"

CIPHER_IS(aes_words)

const struct radio_facts radio_facts = {
    .capabilities = RADIO_CAN_FILTER | RADIO_CAN_ACKNOWLEDGE | RADIO_CAN_CSMA | RADIO_CAN_RETRY |
                    RADIO_CAN_ANNOUNCE,
    .channel_first = 11,
    .channel_last = 26,
    .frame_bytes = 127,
};

int radio_set(const struct radio_settings *settings)
{
    (void)settings;
    return 0;
}

void radio_listen(bool listens)
{
    (void)listens;
}

void radio_count(struct radio_counters *counters)
{
    *counters = (struct radio_counters){0};
}

int serial_number_read(uint8_t *number)
{
    memset(number, 7, SERIAL_NUMBER_BYTES);
    return 0;
}

void sleep_until_us(uint64_t deadline)
{
    (void)deadline;
}

uint32_t random_u32(void)
{
    return 0;
}

int counter_take(struct counter *counter, uint32_t *number)
{
    *number = counter->next++;
    return 0;
}

int counter_reserve(struct counter *counter)
{
    (void)counter;
    return 0;
}

void event_post(struct event *event)
{
    (void)event;
}

int mutex_enter(void *mutex_)
{
    struct mutex *mutex = mutex_;

    require(mutex->owner == 0);
    mutex->owner = 1;
    return 0;
}

int mutex_leave(void *mutex_)
{
    struct mutex *mutex = mutex_;

    require(mutex->owner != 0);
    mutex->owner = 0;
    return 0;
}

/* `in` and `out` count up. */
int queue_try_send(struct queue *queue, const void *message)
{
    if ((arch_index_t)(queue->in - queue->out) == queue->length) {
        return ERR_FULL;
    }
    memcpy(queue->slots + queue->in % queue->length * queue->slot_bytes, message,
           queue->slot_bytes);
    queue->in++;
    return 0;
}

int queue_try_receive(struct queue *queue, void *message)
{
    if (queue->in == queue->out) {
        return ERR_EMPTY;
    }
    memcpy(message, queue->slots + queue->out % queue->length * queue->slot_bytes,
           queue->slot_bytes);
    queue->out++;
    return 0;
}

void queue_receive(struct queue *queue, void *message)
{
    require(queue_try_receive(queue, message) == 0);
}

int queue_receive_service(void *queue_call)
{
    (void)queue_call;
    return ERR_EMPTY;
}

int syscall_run_until(arch_call_fn *fn, struct syscall *call, uint64_t deadline)
{
    (void)deadline;
    return fn(call);
}
