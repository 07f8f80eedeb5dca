/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue with room for fewer letters than an actor sends at a time.
 *
 * Laws: each letter that was sent is received once; a receiver gets the letters of one sender in
 * their order; no thread waits for a letter while there is one, or for room while there is some.
 */
#include <lichen/queue.h>

#include "operations.h"

#define ROOM    2u
#define LETTERS 3u /* that an actor sends */

QUEUE(letters, uint8_t, ROOM);

static volatile uint8_t sent[FORCE_ACTORS + 1]; /* by actor, and the conductor */
static volatile uint8_t sending[FORCE_ACTORS];  /* without a deadline, at present */
static volatile uint8_t receiving[FORCE_ACTORS];
static volatile uint8_t waits_until[FORCE_ACTORS];      /* with one, at present */
static uint8_t got[FORCE_ACTORS + 1][FORCE_ACTORS + 1]; /* by receiver and sender, one bit per
                                                         * letter */

/* The sender, and which of its letters. */
static uint8_t letter(unsigned who)
{
    return (uint8_t)(who << 4 | sent[who]);
}

static void receive_letter(unsigned who, uint8_t from)
{
    uint8_t *bits = &got[who][from >> 4];
    uint8_t bit = (uint8_t)(1u << (from & 15u));
    force_expect(from >> 4 <= FORCE_CONDUCTOR);
    force_expect(*bits < bit); /* later than all before */
    *bits |= bit;
}

static void send(unsigned actor)
{
    for (unsigned count = 0; count < LETTERS; count++) {
        uint8_t one = letter(actor);
        sending[actor] = 1;
        queue_send(&letters, &one);
        sending[actor] = 0;
        sent[actor]++;
    }
}

static void send_until(unsigned actor)
{
    int error = 0;
    for (unsigned count = 0; count < LETTERS && error == 0; count++) {
        uint8_t one = letter(actor);
        waits_until[actor] = 1;
        error = queue_send_until(&letters, &one, soon);
        waits_until[actor] = 0;
        force_expect(error == 0 || error == ERR_TIMEOUT);
        sent[actor] = (uint8_t)(sent[actor] + (error == 0));
    }
    over();
}

static int try_send(unsigned who)
{
    uint8_t one = letter(who);
    int error = queue_try_send(&letters, &one);
    force_expect(error == 0 || error == ERR_FULL);
    sent[who] = (uint8_t)(sent[who] + (error == 0));
    return error;
}

static void receive(unsigned actor)
{
    uint8_t one;
    receiving[actor] = 1;
    queue_receive(&letters, &one);
    receiving[actor] = 0;
    receive_letter(actor, one);
}

static void receive_until(unsigned actor)
{
    uint8_t one;
    waits_until[actor] = 1;
    int error = queue_receive_until(&letters, &one, soon);
    waits_until[actor] = 0;
    force_expect(error == 0 || error == ERR_TIMEOUT);
    if (error == 0) {
        receive_letter(actor, one);
    }
    over();
}

static int try_receive(unsigned who)
{
    uint8_t one;
    int error = queue_try_receive(&letters, &one);
    force_expect(error == 0 || error == ERR_EMPTY);
    if (error == 0) {
        receive_letter(who, one);
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

static void prepare(void)
{
    for (unsigned who = 0; who <= FORCE_CONDUCTOR; who++) {
        sent[who] = 0;
        for (unsigned from = 0; from <= FORCE_CONDUCTOR; from++) {
            got[who][from] = 0;
        }
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        sending[actor] = 0;
        receiving[actor] = 0;
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
    if (force_sum(sending, FORCE_ACTORS) > 0) {
        (void)try_receive(FORCE_CONDUCTOR);
        return true;
    }
    if (force_sum(receiving, FORCE_ACTORS) > 0) {
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
    for (unsigned from = 0; from <= FORCE_CONDUCTOR; from++) {
        unsigned all = 0;
        for (unsigned who = 0; who <= FORCE_CONDUCTOR; who++) {
            force_expect((all & got[who][from]) == 0);
            all |= got[who][from];
        }
        force_expect(all == (1u << sent[from]) - 1u);
    }
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_send = {
    .name = "send", .object = &object, .in_thread = send};
const struct force_operation operation_send_until = {
    .name = "send_until", .object = &object, .in_thread = send_until};
const struct force_operation operation_try_send = {
    .name = "try_send", .object = &object, .in_thread = try_to_send, .in_event = try_to_send};
const struct force_operation operation_receive = {
    .name = "receive", .object = &object, .in_thread = receive};
const struct force_operation operation_receive_until = {
    .name = "receive_until", .object = &object, .in_thread = receive_until};
const struct force_operation operation_try_receive = {.name = "try_receive",
                                                      .object = &object,
                                                      .in_thread = try_to_receive,
                                                      .in_event = try_to_receive};
