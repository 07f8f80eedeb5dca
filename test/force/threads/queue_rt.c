/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One queue per level, filled by the interrupts of that level. Receivers use the queue of the most
 * urgent interrupt that sends in this run.
 *
 * Laws: a sample is refused only if there is no room; each other one is received once, and by each
 * receiver in order; no thread waits while there is one.
 */
#include <lichen/queue.h>

#include "operations.h"

#define ROOM    2u
#define SAMPLES 3u /* that an interrupt sends */

#define OWN_QUEUE(level, name) QUEUE_RT(name##_##level, uint16_t, ROOM, level);
SOFTWARE_EACH_LEVEL(OWN_QUEUE, samples)
static struct queue_rt *const samples[FORCE_LEVELS] = FORCE_OBJECTS(samples);

static struct queue_rt *source;                /* the queue that this run receives from */
static volatile uint8_t sent[FORCE_LEVELS];    /* into each */
static volatile uint8_t waiting[FORCE_ACTORS]; /* for a sample of `source`, at present */
static uint8_t got[FORCE_ACTORS + 1];          /* by receiver, one bit per sample of `source` */

static inline __attribute__((always_inline)) void sample_at(unsigned actor __attribute__((unused)),
                                                            unsigned level)
{
    for (unsigned count = 0; count < SAMPLES; count++) {
        uint16_t one = sent[level];
        int error = queue_send_from(samples[level], &one, level);
        if (error == 0) {
            sent[level]++;
            force_queued(&samples[level]->event, level);
        } else {
            force_expect(error == ERR_FULL && queue_held(&samples[level]->queue) == ROOM);
        }
    }
}
FORCE_AT_EACH_LEVEL(sample_at)

static void note(unsigned who, uint16_t one)
{
    uint8_t bit = (uint8_t)(1u << one);
    force_expect(one < SAMPLES);
    force_expect(got[who] < bit); /* later than all before */
    got[who] |= bit;
}

static void collect(unsigned actor)
{
    uint16_t one;
    int error;
    do {
        waiting[actor] = 1;
        error = queue_receive_until(&source->queue, &one, soon);
        waiting[actor] = 0;
        force_expect(error == 0 || error == ERR_TIMEOUT);
        if (error == 0) {
            note(actor, one);
        }
    } while (error == 0 && got[actor] == 1); /* twice, if it comes in time */
    over();
}

static void look(unsigned who)
{
    uint16_t one;
    int error = queue_try_receive(&source->queue, &one);
    force_expect(error == 0 || error == ERR_EMPTY);
    if (error == 0) {
        note(who, one);
    }
}

static void prepare(void)
{
    source = 0;
    got[FORCE_CONDUCTOR] = 0;
    for (unsigned level = 0; level < FORCE_LEVELS; level++) {
        sent[level] = 0;
        if (source == 0 && force_acts(1 + level, &operation_sample)) {
            source = samples[level];
        }
    }
    if (source == 0) {
        source = samples[0];
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        got[actor] = 0;
        waiting[actor] = 0;
        if (force_acts(actor, &operation_collect)) {
            soon_prepare();
        }
    }
}

/* A waiter found nothing: an interrupt would have been followed by its event. */
static bool settle(void)
{
    unsigned held = queue_held(&source->queue);
    force_expect(held == 0 || source->queue.receivers == 0);
    if (force_sum(waiting, FORCE_ACTORS) == 0) {
        return false;
    }
    over_wait();
    return true;
}

static void check_source(void)
{
    unsigned all = 0;
    while (queue_held(&source->queue) > 0) {
        look(FORCE_CONDUCTOR);
    }
    for (unsigned who = 0; who <= FORCE_CONDUCTOR; who++) {
        force_expect((all & got[who]) == 0);
        all |= got[who];
    }
    force_expect(all == (1u << sent[source->level]) - 1u);
}

static void check(void)
{
    check_source();
    for (unsigned level = 0; level < FORCE_LEVELS; level++) {
        struct queue *queue = &samples[level]->queue;
        uint16_t one;
        unsigned left = 0;
        while (queue_try_receive(queue, &one) == 0) {
            force_expect(one == left);
            left++;
        }
        force_expect(samples[level] == source ? left == 0 : left == sent[level]);
        force_expect(queue->receivers == 0 && queue->senders == QUEUE_OF_INTERRUPTS);
        force_check_event(&samples[level]->event);
    }
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_sample = {
    .name = "sample", .object = &object, .in_interrupt = FORCE_LEVELS_OF(sample_at)};
const struct force_operation operation_collect = {
    .name = "collect", .object = &object, .in_thread = collect};
const struct force_operation operation_look = {
    .name = "look", .object = &object, .in_thread = look, .in_event = look};
