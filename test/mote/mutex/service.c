/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Calls of a service of the test's own (lichen/syscall.h). The tests' own thread has PRIORITY_APP.
 */
#include <lichen/kernel.h>
#include <lichen/syscall.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

#define LITTER ((uintptr_t)0x5a5a5a5bu) /* as a pointer, to nothing */

/* Where calls wait. The word after it is unrelated, whereas the word after a mutex's list is part
 * of the mutex. One lies before the program's mutexes, one after them. */
struct service {
    struct syscall *list;
    uintptr_t behind;
};
static struct service before = {.behind = LITTER};
static struct service behind;

static int refuse(void *call __attribute__((unused)))
{
    return ERR_IO;
}

static int wait(void *argument)
{
    struct syscall *call = argument;
    struct service *service = call->object;
    return syscall_wait_in(call, &service->list);
}

static void answer(void *service)
{
    syscall_end_all(&((struct service *)service)->list, ERR_BUSY);
}

static volatile int result;

THREAD_STOPPED(asks, SMALL_STACK, PRIORITY_APP + 1)
{
    struct syscall call;
    call.object = argument;
    result = syscall_run(wait, &call);
}

TEST(a_call_that_does_not_wait_returns_what_it_says)
{
    struct syscall call;
    call.object = 0;
    expect_equal(syscall_run(refuse, &call), ERR_IO);
    expect_equal(syscall_run_until(refuse, &call, TIME_NEVER), ERR_IO);
    expect_equal(syscall_run_on(refuse, 0), ERR_IO);
    expect_equal(syscall_run_on_until(refuse, 0, TIME_NEVER), ERR_IO);
}

static void expect_waits_on(struct service *service)
{
    result = 0;
    service->behind = LITTER;
    expect_equal(thread_start(&asks, service), 0);
    thread_set_priority(&asks, PRIORITY_APP + 2);
    thread_set_priority(&asks, PRIORITY_APP - 1);
    expect_equal(asks.state, THREAD_WAITING);
    expect_equal(service->behind, LITTER);
    kernel_do(answer, service);
    thread_join(&asks);
    expect_equal(result, ERR_BUSY);
}

TEST(a_list_is_not_taken_for_a_mutex_when_a_priority_changes)
{
    expect_waits_on(&before);
    expect_waits_on(&behind);
}
