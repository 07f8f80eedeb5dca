/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Runs a simulator benchmark at the chip's fastest clock.
 *
 * The programs beside this file are plain C with a `main` that never returns.
 */
#include <lichen/init.h>
#include <lichen/thread.h>

#include "chip/chip.h"
#include "fastest.h"

#define STACK_BYTES 1024

int main(void);

static void speed_up(void)
{
    chip_clock_set(FASTEST);
}
INIT(speed_up);

THREAD(work, STACK_BYTES, PRIORITY_APP)
{
    (void)main();
}
