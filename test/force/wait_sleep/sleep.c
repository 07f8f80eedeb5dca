/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for a time to pass: the same for the first two, longer for the third. Law: the first does
 * not return too early.
 */
#include "../waits/waits.h"

#define SLEEP_US  3000u
#define LONGER_US 4000u

static uint64_t began_at; /* before any thread slept */

static int wait(unsigned who, uint64_t deadline __attribute__((unused)))
{
    sleep_us(who == 2 ? LONGER_US : SLEEP_US);
    force_expect(who != 0 || time_now_us() >= began_at + SLEEP_US);
    return 0;
}

/* Time passes. */
static void release(unsigned who __attribute__((unused)))
{
    sleep_us(LONGER_US);
}

static void prepare(void)
{
    began_at = time_now_us();
}

static void check(void)
{
}

const struct wait_kind wait_kind = {
    .prepare = prepare, .wait = wait, .release = release, .check = check};

const struct force_operation *const force_operations[] = {
    &operation_destroy,
    &operation_disturb,
    &operation_nothing,
};
