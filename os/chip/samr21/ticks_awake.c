/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Equation 1 of the Hamilton paper (section 5.1), as a bound: ticks of the slow clock from cycles
 * of the processor's.
 *
 * A cycle may be longer, and a tick shorter, than they should be: OSC8M is at 7.54 MHz or more, the
 * DFLL in open loop at 47 MHz or more, and OSCULP32K at 38.0 kHz or less, over the whole range of
 * voltage and temperature (SAM R21 data sheet, Electrical Characteristics, Oscillators).
 */
#include "chip/samr21/ticks_awake.h"

#include "arch/armv6m/cycles_awake.h"
#include "chip/chip.h"

#include "chip/samr21/clock.h"

#define FASTEST_TICK_HZ   UINT64_C(38012)
#define SLOWEST_PER_MILLE 942u /* of the 8 MHz, and what is derived from it */
#define DFLL_SLOWEST_HZ   47000000u

#define SCALE_BITS 14u
#define SCALE(hz)  (uint8_t)((FASTEST_TICK_HZ << SCALE_BITS) / (hz) + 1u)

/* Ticks in 2^14 cycles. */
static const uint8_t scale[] = {
    [CHIP_CLOCK_4_MHZ] = SCALE(CLOCK_8M_HZ / 2000u * SLOWEST_PER_MILLE),
    [CHIP_CLOCK_8_MHZ] = SCALE(CLOCK_8M_HZ / 1000u * SLOWEST_PER_MILLE),
    [CHIP_CLOCK_48_MHZ] = SCALE(DFLL_SLOWEST_HZ),
};

uint32_t ticks_awake(void)
{
    uint32_t cycles = cycles_awake();
    if (cycles == CYCLES_AWAKE_UNKNOWN) {
        return TICKS_AWAKE_UNKNOWN;
    }
    return (cycles * scale[clock_processor] >> SCALE_BITS) + 1u;
}
