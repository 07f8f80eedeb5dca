/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A format has more values than the call.
 *
 * error: test/refused/print_value_missing.c:15:11: the format has more values than the call
 *        gives
 * help: give a value for each % of the format; a percent sign itself is %%
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    print("%d %d\n", 1);
}
