/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting until an object has no references: the conductor holds one until the first actor that
 * releases drops it. Law: a thread that returns finds no reference.
 */
#include <lichen/kernel.h>
#include <lichen/reference.h>

#include "../waits/waits.h"

REFERENCE(uses);

static volatile uint8_t in_use;

static int wait(unsigned who __attribute__((unused)), uint64_t deadline)
{
    int error = 0;
    if (deadline != TIME_NEVER) {
        error = reference_wait_until(&uses, deadline);
    } else {
        reference_wait(&uses);
    }
    force_expect(error != 0 || !in_use);
    return error;
}

/* Called at the kernel level, so that exactly one actor does it. */
static int end_use(void *unused __attribute__((unused)))
{
    int was = in_use;
    in_use = 0;
    return was;
}

static void give(unsigned who __attribute__((unused)))
{
    if (kernel_run(end_use, 0)) {
        reference_give(&uses);
    }
}

static void prepare(void)
{
    force_expect(reference_take(&uses) == 0);
    in_use = 1;
}

static bool there(void)
{
    return uses.count == 0;
}

static void check(void)
{
    give(FORCE_CONDUCTOR);
    force_expect(uses.count == 0 && uses.waiting == 0);
}

const struct wait_kind wait_kind = {
    .prepare = prepare, .wait = wait, .release = give, .there = there, .check = check};

const struct force_operation *const force_operations[] = {
    &operation_destroy,
    &operation_disturb,
    &operation_expire,
    &operation_release,
};
