/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reference counters. The tests' own thread has PRIORITY_APP. */
#include <lichen/event.h>
#include <lichen/reference.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

REFERENCE(users);
static volatile unsigned freed;

#define OWNER(name, priority)                                                                      \
    THREAD_STOPPED(name, SMALL_STACK, priority)                                                    \
    {                                                                                              \
        reference_wait(&users);                                                                    \
        freed++;                                                                                   \
    }

OWNER(owner, PRIORITY_APP + 1)
OWNER(co_owner, PRIORITY_APP + 2)

EVENT(gives)
{
    reference_give(&users);
}

TEST(who_waits_goes_on_when_nobody_uses_it)
{
    freed = 0;
    reference_wait(&users); /* at once */
    expect_equal(reference_take(&users), 0);
    expect_equal(reference_take(&users), 0);
    expect_equal(thread_start(&owner, 0), 0);
    expect_equal(thread_start(&co_owner, 0), 0);
    reference_give(&users);
    expect_equal(freed, 0);
    event_post(&gives);
    expect_equal(freed, 2);
}

TEST(a_wait_for_no_users_ends_at_its_deadline)
{
    expect_equal(reference_take(&users), 0);
    uint64_t start = time_now_us();
    expect_equal(reference_wait_until(&users, start + 2 * TIME_US_PER_MS), ERR_TIMEOUT);
    expect(time_now_us() - start >= 2 * TIME_US_PER_MS);
    reference_give(&users);
    expect_equal(reference_wait_until(&users, 0), 0);
}

TEST(users_are_counted_up_to_the_end)
{
    users.count = UINT16_MAX - 1;
    expect_equal(reference_take(&users), 0);
    expect_equal(reference_take(&users), ERR_FULL);
    expect_equal(users.count, UINT16_MAX);
    users.count = 0;
}
