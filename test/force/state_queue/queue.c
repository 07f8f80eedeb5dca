/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue from each of its states: empty, with one letter, full, with indices that are about to
 * wrap, with two threads that wait for room, and with two that wait for a letter. Of the two
 * threads, one is more urgent than the stretch, the other less.
 *
 * Laws: each letter that was sent is received once and whole; a receiver gets the letters of one
 * sender in their order, and those present at the beginning before all others; no thread waits for
 * a letter while there is one, or for room while there is some; the more urgent of the two is
 * served first.
 */
#include <lichen/init.h>
#include <lichen/queue.h>
#include <lichen/thread.h>

#include "../kernel/operations.h"
#include "chip/chip.h"

#define ROOM 2u
#define LAST (2u * ROOM - 1u) /* the indices wrap after this one */

/* Senders and receivers: the actors, the conductor, and the threads that wait from the beginning.
 */
enum { CALM = FORCE_CONDUCTOR + 1, URGENT, PARTIES };

struct letter {
    uint32_t mark;    /* the sender, and which of its letters */
    uint32_t inverse; /* a letter that is copied in part, or over another one, is not whole */
};

QUEUE(letters, struct letter, ROOM);

static const struct force_operation operation_send_until, operation_receive_until;

static volatile uint8_t sent[PARTIES];
static volatile uint8_t sending[PARTIES]; /* without a deadline, at present */
static volatile uint8_t receiving[PARTIES];
static volatile uint8_t waits_until[FORCE_ACTORS]; /* with one, at present */
static volatile uint8_t got[PARTIES][PARTIES];     /* by receiver and sender, one bit per letter */
static uint8_t there; /* letters that the conductor has sent before the beginning */

static struct letter letter(unsigned who)
{
    uint32_t mark = who << 4 | sent[who];
    return (struct letter){.mark = mark, .inverse = ~mark};
}

static bool has_others(unsigned who)
{
    unsigned all = (unsigned)got[who][FORCE_CONDUCTOR] >> there;
    for (unsigned from = 0; from < PARTIES; from++) {
        all |= from == FORCE_CONDUCTOR ? 0u : got[who][from];
    }
    return all != 0;
}

static void note(unsigned who, const struct letter *one)
{
    unsigned from = one->mark >> 4;
    unsigned number = one->mark & 15u;
    force_expect(one->inverse == ~one->mark);
    if (from >= PARTIES) {
        force_seen("who sent it");
        return;
    }
    force_expect(got[who][from] < 1u << number); /* later than all before */
    force_expect(from != FORCE_CONDUCTOR || number >= there || !has_others(who));
    force_expect(from != URGENT || got[who][CALM] == 0);
    got[who][from] |= (uint8_t)(1u << number);
}

static void send(unsigned who)
{
    struct letter one = letter(who);
    sending[who] = 1;
    queue_send(&letters, &one);
    sending[who] = 0;
    sent[who]++;
}

static void receive(unsigned who)
{
    struct letter one;
    receiving[who] = 1;
    queue_receive(&letters, &one);
    receiving[who] = 0;
    note(who, &one);
}

static void send_until(unsigned actor)
{
    struct letter one = letter(actor);
    waits_until[actor] = 1;
    int error = queue_send_until(&letters, &one, soon);
    waits_until[actor] = 0;
    force_expect(error == 0 || error == ERR_TIMEOUT);
    sent[actor] = error == 0;
    over();
}

static void receive_until(unsigned actor)
{
    struct letter one;
    waits_until[actor] = 1;
    int error = queue_receive_until(&letters, &one, soon);
    waits_until[actor] = 0;
    force_expect(error == 0 || error == ERR_TIMEOUT);
    if (error == 0) {
        note(actor, &one);
    }
    over();
}

static int try_send(unsigned who)
{
    struct letter one = letter(who);
    int error = queue_try_send(&letters, &one);
    force_expect(error == 0 || error == ERR_FULL);
    sent[who] = (uint8_t)(sent[who] + (error == 0));
    return error;
}

static int try_receive(unsigned who)
{
    struct letter one;
    int error = queue_try_receive(&letters, &one);
    force_expect(error == 0 || error == ERR_EMPTY);
    if (error == 0) {
        note(who, &one);
    }
    return error;
}

static void try_to_send(unsigned actor)
{
    (void)try_send(actor);
}

static void try_to_receive(unsigned actor)
{
    (void)try_receive(actor);
}

/* ---------------------------------------------------------------- threads that wait from the
 * beginning */
static void wait_as(unsigned who, bool sends)
{
    if (sends) {
        send(who);
    } else {
        receive(who);
    }
}

THREAD_STOPPED(calm, FORCE_STACK, PRIORITY_APP - 1)
{
    wait_as(CALM, argument != 0);
}
THREAD_STOPPED(urgent, FORCE_STACK, PRIORITY_APP + 1)
{
    wait_as(URGENT, argument != 0);
}

static void begin_both(bool senders)
{
    static struct thread *const both[] = {&calm, &urgent};
    for (unsigned index = 0; index < 2; index++) {
        force_expect(thread_start(both[index], senders ? &letters : 0) == 0);
        force_expect(both[index]->state == THREAD_WAITING);
    }
}

/* ---------------------------------------------------------------- states */
static void fill(unsigned count)
{
    while (there < count) {
        force_expect(try_send(FORCE_CONDUCTOR) == 0);
        there++;
    }
    force_expect(queue_held(&letters) == count);
}

/* Advances the indices to where they wrap. */
static void turn(void)
{
    struct letter one = letter(FORCE_CONDUCTOR);
    while (letters.out != LAST) {
        force_expect(queue_try_send(&letters, &one) == 0);
        force_expect(queue_try_receive(&letters, &one) == 0);
    }
}

static void enter_one(void)
{
    fill(1);
}
static void enter_full(void)
{
    fill(ROOM);
}
static void enter_turned_full(void)
{
    turn();
    fill(ROOM);
}
static void enter_senders(void)
{
    fill(ROOM);
    begin_both(true);
}
static void enter_receivers(void)
{
    begin_both(false);
}

static const struct force_state empty = {.name = "empty"};
static const struct force_state one = {.name = "one", .enter = enter_one};
static const struct force_state full = {.name = "full", .enter = enter_full};
static const struct force_state turned = {.name = "turned", .enter = turn};
static const struct force_state turned_full = {.name = "turned_full", .enter = enter_turned_full};
static const struct force_state senders = {.name = "senders", .enter = enter_senders};
static const struct force_state receivers = {.name = "receivers", .enter = enter_receivers};

const struct force_state *const force_states[] = {
    &empty, &one, &full, &turned, &turned_full, &senders, &receivers,
};

/* ---------------------------------------------------------------- the object */
static void prepare(void)
{
    there = 0;
    letters.in = 0; /* as after start-up */
    letters.out = 0;
    for (unsigned who = 0; who < PARTIES; who++) {
        sent[who] = 0;
        sending[who] = 0;
        receiving[who] = 0;
        for (unsigned from = 0; from < PARTIES; from++) {
            got[who][from] = 0;
        }
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        waits_until[actor] = 0;
        if (force_acts(actor, &operation_send_until) ||
            force_acts(actor, &operation_receive_until)) {
            soon_prepare();
        }
    }
}

/* The waiters, as the queue lists them. Called at the kernel level. */
static int check_waiting(void *queue_)
{
    struct queue *queue = queue_;
    unsigned held = queue_held(queue);
    force_expect(queue->receivers == 0 || held == 0);
    force_expect(queue->senders == 0 || held == ROOM);
    return 0;
}

static bool settle(void)
{
    force_expect(arch_kernel_call(check_waiting, &letters) == 0);
    if (force_sum(waits_until, FORCE_ACTORS) > 0) {
        over_wait();
        return true;
    }
    if (force_sum(sending, PARTIES) > 0) {
        (void)try_receive(FORCE_CONDUCTOR);
        return true;
    }
    if (force_sum(receiving, PARTIES) > 0) {
        (void)try_send(FORCE_CONDUCTOR);
        return true;
    }
    return false;
}

/* The conductor receives what is left. */
static void check(void)
{
    force_expect(letters.receivers == 0 && letters.senders == 0);
    while (try_receive(FORCE_CONDUCTOR) == 0) {
    }
    force_expect(queue_held(&letters) == 0);
    for (unsigned from = 0; from < PARTIES; from++) {
        unsigned all = 0;
        for (unsigned who = 0; who < PARTIES; who++) {
            force_expect((all & got[who][from]) == 0);
            all |= got[who][from];
        }
        force_expect(all == (1u << sent[from]) - 1u);
    }
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static const struct force_operation operation_send = {
    .name = "send", .object = &object, .in_thread = send};
static const struct force_operation operation_receive = {
    .name = "receive", .object = &object, .in_thread = receive};
static const struct force_operation operation_send_until = {
    .name = "send_until", .object = &object, .in_thread = send_until};
static const struct force_operation operation_receive_until = {
    .name = "receive_until", .object = &object, .in_thread = receive_until};
static const struct force_operation operation_try_send = {
    .name = "try_send", .object = &object, .in_thread = try_to_send, .in_event = try_to_send};
static const struct force_operation operation_try_receive = {.name = "try_receive",
                                                             .object = &object,
                                                             .in_thread = try_to_receive,
                                                             .in_event = try_to_receive};

const struct force_operation *const force_operations[] = {
    &operation_send,          &operation_receive,  &operation_send_until,
    &operation_receive_until, &operation_try_send, &operation_try_receive,
};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
