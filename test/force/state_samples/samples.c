/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue that interrupts fill, from each of its states: empty, with one sample, full, with indices
 * that are about to wrap, and with threads that wait. Receivers use the queue of the most urgent
 * interrupt that sends in this run.
 *
 * Laws: a sample is refused only if there is no room; each other one is received once and whole,
 * and by each receiver in order; no thread waits while there is one; the most urgent waiter is
 * served first.
 */
#include <lichen/init.h>
#include <lichen/queue.h>
#include <lichen/thread.h>

#include "../kernel/operations.h"
#include "chip/chip.h"

#define ROOM    2u
#define SAMPLES 2u               /* that an interrupt sends */
#define LAST    (2u * ROOM - 1u) /* the indices wrap after this one */
#define WAITERS 2u

static const struct force_operation operation_sample, operation_collect;

/* Receivers: the actors, the conductor, and the threads that wait from the beginning. */
#define WAITER    (FORCE_CONDUCTOR + 1u)
#define RECEIVERS (WAITER + WAITERS)

struct sample {
    uint32_t number;
    uint32_t inverse; /* copies of the number: a sample that two have written is not whole */
};

#define OWN_QUEUE(level, name) QUEUE_RT(name##_##level, struct sample, ROOM, level);
SOFTWARE_EACH_LEVEL(OWN_QUEUE, samples)
static struct queue_rt *const samples[FORCE_LEVELS] = FORCE_OBJECTS(samples);

static struct queue_rt *source;                /* the queue that this run receives from */
static volatile uint8_t sent[FORCE_LEVELS];    /* into each */
static volatile uint8_t waiting[FORCE_ACTORS]; /* for a sample of `source`, at present */
static volatile uint8_t got[RECEIVERS];        /* by receiver, one bit per sample of `source` */
static volatile uint8_t urgent_first;          /* the other waiter had its sample first */

static int put(struct queue_rt *queue, unsigned level)
{
    struct sample one = {.number = sent[level], .inverse = ~(uint32_t)sent[level]};
    return queue_put_from(queue, &one, level) ? 0 : ERR_FULL;
}

static inline __attribute__((always_inline)) void sample_at(unsigned actor __attribute__((unused)),
                                                            unsigned level)
{
    for (unsigned count = 0; count < SAMPLES; count++) {
        if (put(samples[level], level) == 0) {
            event_post_from(&samples[level]->event, level);
            force_queued(&samples[level]->event, level);
            sent[level]++;
        } else {
            force_expect(queue_held(&samples[level]->queue) == ROOM);
        }
    }
}
FORCE_AT_EACH_LEVEL(sample_at)

static void note(unsigned who, const struct sample *one)
{
    uint8_t bit = (uint8_t)(1u << one->number);
    force_expect(one->inverse == ~one->number);
    force_expect(one->number < ROOM + SAMPLES);
    force_expect(got[who] < bit); /* later than all before */
    got[who] |= bit;
}

static void collect(unsigned actor)
{
    struct sample one;
    waiting[actor] = 1;
    int error = queue_receive_until(&source->queue, &one, soon);
    waiting[actor] = 0;
    force_expect(error == 0 || error == ERR_TIMEOUT);
    if (error == 0) {
        note(actor, &one);
    }
    over();
}

static void look(unsigned who)
{
    struct sample one;
    int error = queue_try_receive(&source->queue, &one);
    force_expect(error == 0 || error == ERR_EMPTY);
    if (error == 0) {
        note(who, &one);
    }
}

/* ---------------------------------------------------------------- threads that wait from the
 * beginning */
static void receive(unsigned waiter)
{
    struct sample one;
    queue_receive(&source->queue, &one);
    note(WAITER + waiter, &one);
}

THREAD_STOPPED(calm, FORCE_STACK, PRIORITY_APP - 1)
{
    receive(0);
}
THREAD_STOPPED(urgent, FORCE_STACK, PRIORITY_APP + 1)
{
    receive(1);
    urgent_first = got[WAITER] == 0;
}

static void begin(struct thread *thread)
{
    force_expect(thread_start(thread, 0) == 0);
    force_expect(thread->state == THREAD_WAITING);
}

/* ---------------------------------------------------------------- states */
static void fill(unsigned count)
{
    for (unsigned index = 0; index < count; index++) {
        force_expect(put(source, source->level) == 0);
        sent[source->level]++;
    }
    force_expect(queue_held(&source->queue) == count);
}

/* Advances the indices to where they wrap. */
static void turn(void)
{
    struct sample one = {0};
    while (source->queue.out != LAST) {
        force_expect(queue_put_from(source, &one, source->level));
        force_expect(queue_try_receive(&source->queue, &one) == 0);
    }
    force_expect(source->queue.in == LAST);
}

static void enter_one(void)
{
    fill(1);
}
static void enter_full(void)
{
    fill(ROOM);
}
static void enter_turned(void)
{
    turn();
}
static void enter_turned_full(void)
{
    turn();
    fill(ROOM);
}
static void enter_waited_for(void)
{
    begin(&calm);
    begin(&urgent);
}

static const struct force_state empty = {.name = "empty"};
static const struct force_state one = {.name = "one", .enter = enter_one};
static const struct force_state full = {.name = "full", .enter = enter_full};
static const struct force_state turned = {.name = "turned", .enter = enter_turned};
static const struct force_state turned_full = {.name = "turned_full", .enter = enter_turned_full};
static const struct force_state waited_for = {.name = "waited_for", .enter = enter_waited_for};

const struct force_state *const force_states[] = {&empty,  &one,         &full,
                                                  &turned, &turned_full, &waited_for};

/* ---------------------------------------------------------------- the object */
static void prepare(void)
{
    source = 0;
    urgent_first = 1;
    for (unsigned level = 0; level < FORCE_LEVELS; level++) {
        sent[level] = 0;
        if (source == 0 && force_acts(1 + level, &operation_sample)) {
            source = samples[level];
        }
    }
    if (source == 0) {
        source = samples[0];
    }
    for (unsigned who = 0; who < RECEIVERS; who++) {
        got[who] = 0;
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        waiting[actor] = 0;
        if (force_acts(actor, &operation_collect)) {
            soon_prepare();
        }
    }
    source->queue.in = 0; /* as after start-up */
    source->queue.out = 0;
}

/* Reads again if an interrupt has come meanwhile; its event has then run. */
static bool waits_in_vain(void)
{
    bool vain;
    unsigned before;
    do {
        before = force_sum(sent, FORCE_LEVELS);
        vain = queue_held(&source->queue) > 0 && source->queue.receivers != 0;
    } while (before != force_sum(sent, FORCE_LEVELS));
    return vain;
}

static bool settle(void)
{
    force_expect(!waits_in_vain());
    if (force_sum(waiting, FORCE_ACTORS) == 0) {
        return false;
    }
    over_wait();
    return true;
}

static void check_received(void)
{
    unsigned all = 0;
    while (queue_held(&source->queue) > 0) {
        look(FORCE_CONDUCTOR);
    }
    for (unsigned who = 0; who < RECEIVERS; who++) {
        force_expect((all & got[who]) == 0);
        all |= got[who];
    }
    force_expect(all == (1u << sent[source->level]) - 1u);
}

static void check(void)
{
    thread_destroy(&calm);
    thread_destroy(&urgent);
    check_received();
    force_expect(urgent_first);
    for (unsigned level = 0; level < FORCE_LEVELS; level++) {
        struct queue *queue = &samples[level]->queue;
        struct sample rest;
        unsigned left = 0;
        while (queue_try_receive(queue, &rest) == 0) {
            force_expect(rest.number == left && rest.inverse == ~(uint32_t)left);
            left++;
        }
        force_expect(samples[level] == source ? left == 0 : left == sent[level]);
        force_expect(queue->receivers == 0 && queue->senders == QUEUE_OF_INTERRUPTS);
        force_check_event(&samples[level]->event);
    }
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static const struct force_operation operation_sample = {
    .name = "sample", .object = &object, .in_interrupt = FORCE_LEVELS_OF(sample_at)};
static const struct force_operation operation_collect = {
    .name = "collect", .object = &object, .in_thread = collect};
static const struct force_operation operation_look = {
    .name = "look", .object = &object, .in_thread = look, .in_event = look};

const struct force_operation *const force_operations[] = {&operation_collect, &operation_look,
                                                          &operation_sample};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
