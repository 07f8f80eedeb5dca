/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The assertion of another system.
 *
 * error: test/refused/assert_own.c:15:5: nothing declares `ASSERT'
 * help: did you mean `assert' (<lichen/assert.h>)?
 */
#include <lichen/panic.h>
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    ASSERT(1 == 2);
}
