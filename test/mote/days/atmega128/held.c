/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Holding on the ATmega128. */
#include "../held.h"

#include "compute.h"
#include "hold.h"

void hold_prepare(void)
{
}

void hold_half_hours(unsigned count)
{
    hold_s(count * UINT32_C(1800));
}

/* The contract excludes a handler that hides a whole wrap, 250 ms, from the chip's own. */
void hold_in_interrupt(void)
{
    compute_us(200000);
}
