/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the link's files call of the kernel and of drivers, where nothing waits and nothing else
 * runs. */
#include <lichen/counter.h>
#include <lichen/mutex.h>
#include <lichen/radio.h>
#include <lichen/random.h>

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
