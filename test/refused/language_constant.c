/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A constant is assigned.
 *
 * error: test/refused/language_constant.c:15:11: `limit' is const, and is assigned here
 * help: declare it without const, or assign another variable
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static const int limit = 3;
THREAD(t, 512, PRIORITY_APP)
{
    limit = 4;
}
