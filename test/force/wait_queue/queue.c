/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for messages. Laws: each letter that was sent was received once, or is still there, or
 * was lost with a destroyed thread; a thread whose wait ended by its deadline has none.
 */
#include <lichen/queue.h>

#include "../waits/waits.h"

#define ROOM    2u
#define NOTHING 0xffu

QUEUE(letters, uint8_t, ROOM);

static volatile uint8_t sent[FORCE_ACTORS + 1]; /* by actor, and the conductor */
static volatile uint8_t received[WAITERS];      /* by each: what came, or NOTHING */
static uint8_t left[ROOM];                      /* letters that no thread has received */

static int wait(unsigned who, uint64_t deadline)
{
    uint8_t letter = NOTHING;
    int error = 0;
    if (deadline != TIME_NEVER) {
        error = queue_receive_until(&letters, &letter, deadline);
    } else {
        queue_receive(&letters, &letter);
    }
    received[who] = letter;
    return error;
}

/* Sender, and which of its letters. */
static void send(unsigned who)
{
    uint8_t letter = (uint8_t)(who << 4 | sent[who]);
    sent[who]++;
    force_expect(queue_try_send(&letters, &letter) == 0);
}

static void prepare(void)
{
    for (unsigned who = 0; who <= FORCE_CONDUCTOR; who++) {
        sent[who] = 0;
    }
    for (unsigned who = 0; who < WAITERS; who++) {
        received[who] = NOTHING;
    }
}

static bool there(void)
{
    return queue_held(&letters) > 0;
}

/* How often a letter was received. */
static unsigned came(uint8_t letter, unsigned held)
{
    unsigned count = 0;
    for (unsigned who = 0; who < WAITERS; who++) {
        count += received[who] == letter;
    }
    for (unsigned index = 0; index < held; index++) {
        count += left[index] == letter;
    }
    return count;
}

static void check(void)
{
    unsigned held = 0;
    while (held < ROOM && queue_try_receive(&letters, &left[held]) == 0) {
        held++;
    }
    unsigned missing = 0;
    for (unsigned who = 0; who <= FORCE_CONDUCTOR; who++) {
        for (unsigned index = 0; index < sent[who]; index++) {
            unsigned count = came((uint8_t)(who << 4 | index), held);
            force_expect(count <= 1);
            missing += count == 0;
        }
    }
    for (unsigned who = 0; who < WAITERS; who++) {
        bool has = received[who] != NOTHING;
        force_expect(has == came_back[who] || (has && waiter_destroyed(who)));
    }
    force_expect(missing <= waiters_lost());
    force_expect(queue_held(&letters) == 0 && letters.receivers == 0 && letters.senders == 0);
}

const struct wait_kind wait_kind = {.prepare = prepare,
                                    .wait = wait,
                                    .release = send,
                                    .there = there,
                                    .check = check,
                                    .at_a_time = 1};

const struct force_operation *const force_operations[] = {
    &operation_destroy,
    &operation_disturb,
    &operation_expire,
    &operation_release,
};
