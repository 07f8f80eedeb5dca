/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Constants are larger than flash.
 *
 * error: the chip's flash is too small by 163740 bytes
 * help: `lichen size` shows what a program takes that fits; constants count, too
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static const char big[400000] = {1};
static volatile int i;
THREAD(t, 512, PRIORITY_APP)
{
    print("%d\n", big[i]);
}
