/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel level tells the chip that it is entered. */
#include "chip/chip.h"

#include "chip/atmega128/serve.h"

void chip_serve(void)
{
    if (tick_serve != 0) {
        tick_serve();
    }
    if (slice_serve != 0) {
        slice_serve();
    }
}
