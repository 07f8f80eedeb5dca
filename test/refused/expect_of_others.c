/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Another framework's expectation.
 *
 * on: micaz
 * error: test/refused/expect_of_others.c:16:5: nothing declares `expect_true'
 * help: write expect(condition), or expect(!condition) (test.h)
 */
#include <stdbool.h>

#include <lichen/thread.h>

static volatile bool held;

THREAD(checks, 256, PRIORITY_APP)
{
    expect_true(held);
}
