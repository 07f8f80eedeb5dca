/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Arming a real-time task: all that the kernel does for one. */
#include <lichen/rt.h>

#include "chip/chip.h"

void rt_arm(unsigned vector, uint8_t priority)
{
    chip_interrupt_enable(vector, priority);
}
