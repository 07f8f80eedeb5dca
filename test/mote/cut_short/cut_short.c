/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A panic that the reset pin cuts short (input.txt), just after its record becomes valid. Fields
 * that were not known yet are 0, whatever the record held before.
 */
#include <string.h>

#include <lichen/panic.h>
#include <lichen/reset.h>
#include <lichen/time.h>

#include "test.h"

extern struct panic_record panic_record;

TEST(what_a_panic_had_no_time_for_is_0)
{
    if (panic_last() == 0) {
        memset(&panic_record, 0xff, sizeof(panic_record));
        sleep_until_us(TIME_US_PER_S);
        panic(7);
    }
    expect_equal(reset_cause(), RESET_PIN);
    const struct panic_record *record = panic_last();
    expect(record != 0);
    expect_equal(record->detail, 7);
    expect_equal(record->count, 1);
    expect_equal(record->stack_free, 0);
    expect_equal(record->kernel_free, 0);
}
