/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for samples that interrupts send, into one queue per level. All wait for that of the most
 * urgent interrupt that sends in this run, and the conductor sends nothing.
 *
 * Laws: each sample was received once, or is still there, or was lost with a destroyed thread; the
 * more urgent thread has the earlier sample.
 */
#include <lichen/queue.h>

#include "../waits/waits.h"

#define ROOM    2u
#define SAMPLES 2u /* that an interrupt sends */
#define NOTHING 0xffffu

#define OWN_QUEUE(level, name) QUEUE_RT(name##_##level, uint16_t, ROOM, level);
SOFTWARE_EACH_LEVEL(OWN_QUEUE, samples)
static struct queue_rt *const samples[FORCE_LEVELS] = FORCE_OBJECTS(samples);

static struct queue_rt *source;             /* the queue that this run receives from */
static volatile uint8_t sent[FORCE_LEVELS]; /* into each */
static volatile uint16_t received[WAITERS]; /* by each: what came, or NOTHING */

static const struct force_operation operation_sample;

static int wait(unsigned who, uint64_t deadline)
{
    uint16_t one = NOTHING;
    int error = 0;
    if (deadline != TIME_NEVER) {
        error = queue_receive_until(&source->queue, &one, deadline);
    } else {
        queue_receive(&source->queue, &one);
    }
    received[who] = one;
    return error;
}

static inline __attribute__((always_inline)) void sample_at(unsigned actor __attribute__((unused)),
                                                            unsigned level)
{
    for (unsigned count = 0; count < SAMPLES; count++) {
        uint16_t one = sent[level];
        force_expect(queue_send_from(samples[level], &one, level) == 0);
        sent[level]++;
        force_queued(&samples[level]->event, level);
    }
}
FORCE_AT_EACH_LEVEL(sample_at)

static void prepare(void)
{
    source = samples[0];
    for (unsigned level = FORCE_LEVELS; level-- > 0;) {
        sent[level] = 0;
        if (force_acts(1 + level, &operation_sample)) {
            source = samples[level];
        }
    }
    for (unsigned who = 0; who < WAITERS; who++) {
        received[who] = NOTHING;
    }
}

/* An interrupt's event has run by the time a thread checks. */
static bool there(void)
{
    return queue_held(&source->queue) > 0 && !source->event.pending;
}

static unsigned came(unsigned sample)
{
    unsigned count = 0;
    for (unsigned who = 0; who < WAITERS; who++) {
        count += received[who] == sample;
    }
    return count;
}

static void check(void)
{
    unsigned taken = force_sum(came_back, WAITERS);
    unsigned missing = 0;
    for (unsigned level = 0; level < FORCE_LEVELS; level++) {
        uint16_t one;
        unsigned left = samples[level] == source ? taken : 0;
        while (queue_try_receive(&samples[level]->queue, &one) == 0) {
            force_expect(one < sent[level] && (samples[level] != source || came(one) == 0));
            left++;
        }
        missing += sent[level] - left;
        force_check_event(&samples[level]->event);
        force_expect(samples[level]->queue.receivers == 0);
    }
    for (unsigned who = 0; who < WAITERS; who++) {
        bool has = received[who] != NOTHING;
        force_expect(has == came_back[who] || (has && waiter_destroyed(who)));
        force_expect(received[who] == NOTHING || received[who] < sent[source->level]);
        force_expect(received[who] == NOTHING || came(received[who]) == 1);
    }
    force_expect(missing <= waiters_lost());
}

const struct wait_kind wait_kind = {
    .prepare = prepare, .wait = wait, .there = there, .check = check, .only_destroyed = true};

static const struct force_operation operation_sample = {
    .name = "sample", .object = &waits, .in_interrupt = FORCE_LEVELS_OF(sample_at)};

const struct force_operation *const force_operations[] = {
    &operation_destroy,
    &operation_disturb,
    &operation_expire,
    &operation_sample,
};
