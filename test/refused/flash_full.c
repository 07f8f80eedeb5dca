/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Constants are larger than flash.
 *
 * refused: most of it is `big' of flash_full.c with 400000 bytes
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
