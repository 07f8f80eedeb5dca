/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for a service that is made as lichen/message.h says, with calls that are in no list: the
 * service knows the call of each thread, and is told when one ends without it.
 *
 * Laws: a call that waits returns what the service ends it with; one that does not wait returns 0;
 * the service knows who waits, and nobody else.
 */
#include <lichen/kernel.h>

#include <string.h>

#include "../waits/waits.h"

#define RESULT 77 /* of the first thread's call */
#define LITTER 0x5a

static struct message *calls[WAITERS]; /* of those who wait; written at the kernel level */
static volatile uint8_t answered;      /* calls need not wait */

static void cancel(struct message *message)
{
    *(struct message **)message->object = 0;
}

static int call(void *argument)
{
    struct message *message = argument;
    if (answered) {
        return 0;
    }
    *(struct message **)message->object = message;
    message->cancel = cancel;
    return message_wait(message);
}

static int answer(void *unused __attribute__((unused)))
{
    answered = 1;
    for (unsigned who = 0; who < WAITERS; who++) {
        if (calls[who] != 0) {
            message_end(calls[who], RESULT + (int)who);
            calls[who] = 0;
        }
    }
    return 0;
}

/* A message of memory that held something else; its deadline would have passed. */
static int call_with_own_message(unsigned who)
{
    struct message message;
    memset(&message, LITTER, sizeof(message));
    message.deadline.tick = 0;
    message.object = &calls[who];
    return message_call(call, &message);
}

static int ask(unsigned who, uint64_t deadline)
{
    if (deadline != TIME_NEVER) {
        return message_do_until(call, &calls[who], deadline);
    }
    return who == 2 ? call_with_own_message(who) : message_do(call, &calls[who]);
}

/* Once more, when it need not wait. */
static int wait(unsigned who, uint64_t deadline)
{
    int result = ask(who, deadline);
    force_expect(result == ERR_TIMEOUT || result == RESULT + (int)who);
    if (answered) {
        waits_litter_stack(who % 2);
        force_expect(ask(who, deadline) == 0);
    }
    return result == ERR_TIMEOUT ? result : 0;
}

static void release(unsigned who __attribute__((unused)))
{
    (void)kernel_run(answer, 0);
}

static void prepare(void)
{
    answered = 0;
}

static void check(void)
{
    for (unsigned who = 0; who < WAITERS; who++) {
        force_expect(calls[who] == 0);
    }
}

const struct wait_kind wait_kind = {
    .prepare = prepare, .wait = wait, .release = release, .check = check};

const struct force_operation *const force_operations[] = {
    &operation_destroy,
    &operation_disturb,
    &operation_expire,
    &operation_release,
};
