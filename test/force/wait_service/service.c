/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for a service that is written as lichen/syscall.h describes, with calls that are in no
 * list: the service keeps the call of each thread, and is told when a call ends by other means.
 *
 * Laws: a call that waits returns the result with which the service ends it; one that does not wait
 * returns 0; the service knows exactly the waiting threads.
 */
#include <lichen/kernel.h>

#include <string.h>

#include "../waits/waits.h"

#define RESULT 77 /* of the first thread's call */
#define LITTER 0x5a

static struct syscall *calls[WAITERS]; /* of waiting threads; written at the kernel level */
static volatile uint8_t answered;      /* calls need not wait */

static void cancel(struct syscall *call)
{
    *(struct syscall **)call->object = 0;
}

static int wait_for_answer(void *argument)
{
    struct syscall *call = argument;
    if (answered) {
        return 0;
    }
    *(struct syscall **)call->object = call;
    call->cancel = cancel;
    return syscall_wait(call);
}

static int answer(void *unused __attribute__((unused)))
{
    answered = 1;
    for (unsigned who = 0; who < WAITERS; who++) {
        if (calls[who] != 0) {
            syscall_end(calls[who], RESULT + (int)who);
            calls[who] = 0;
        }
    }
    return 0;
}

/* A call in memory that held something else; its deadline would have passed. */
static int call_in_own_memory(unsigned who)
{
    struct syscall call;
    memset(&call, LITTER, sizeof(call));
    call.deadline.tick = 0;
    call.object = &calls[who];
    return syscall_run(wait_for_answer, &call);
}

static int ask(unsigned who, uint64_t deadline)
{
    if (deadline != TIME_NEVER) {
        return syscall_run_on_until(wait_for_answer, &calls[who], deadline);
    }
    return who == 2 ? call_in_own_memory(who) : syscall_run_on(wait_for_answer, &calls[who]);
}

/* Once more, when the call need not wait. */
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
