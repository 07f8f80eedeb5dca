/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for room in a queue, which is full at the beginning. Laws: letters leave in the order in
 * which they entered; the letter of a thread that returned was sent, once; that of a thread whose
 * wait ended by its deadline was not.
 */
#include <lichen/kernel.h>
#include <lichen/queue.h>

#include "../waits/waits.h"

#define ROOM 2u

QUEUE(letters, uint32_t, ROOM); /* words, which are copied as such */

/* In the order in which they left the queue. Written at the kernel level. */
static volatile uint8_t out[ROOM + WAITERS];
static volatile uint8_t count;

static int wait(unsigned who, uint64_t deadline)
{
    uint32_t letter = ROOM + who;
    if (deadline != TIME_NEVER) {
        return queue_send_until(&letters, &letter, deadline);
    }
    queue_send(&letters, &letter);
    return 0;
}

static int take(void *unused __attribute__((unused)))
{
    uint32_t letter;
    int error = queue_try_receive(&letters, &letter);
    if (error == 0) {
        force_expect(count < ROOM + WAITERS);
        out[count] = (uint8_t)letter;
        count++;
    }
    return error;
}

static void make_room(unsigned who __attribute__((unused)))
{
    force_expect(kernel_run(take, 0) == 0);
}

static void prepare(void)
{
    count = 0;
    for (uint32_t letter = 0; letter < ROOM; letter++) {
        force_expect(queue_try_send(&letters, &letter) == 0);
    }
}

static bool there(void)
{
    return queue_held(&letters) < ROOM;
}

static unsigned came(unsigned letter)
{
    unsigned times = 0;
    for (unsigned index = 0; index < count; index++) {
        times += out[index] == letter;
    }
    return times;
}

static void check(void)
{
    while (kernel_run(take, 0) == 0) {
    }
    force_expect(out[0] == 0 && out[1] == 1);
    for (unsigned who = 0; who < WAITERS; who++) {
        unsigned times = came(ROOM + who);
        force_expect(times == came_back[who] || (times == 1 && waiter_destroyed(who)));
    }
    force_expect(queue_held(&letters) == 0 && letters.receivers == 0 && letters.senders == 0);
}

const struct wait_kind wait_kind = {.prepare = prepare,
                                    .wait = wait,
                                    .release = make_room,
                                    .there = there,
                                    .check = check,
                                    .at_a_time = 1};

const struct force_operation *const force_operations[] = {
    &operation_destroy,
    &operation_disturb,
    &operation_expire,
    &operation_release,
};
