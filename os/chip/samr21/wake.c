/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How long it takes to wake (SAM R21 data sheet, Wake-Up Time, from OSC8M): 4.0, 12.1, 13.0 and
 * 19.6 us, rounded up. */
#include "chip/chip.h"

#include <lichen/assert.h>

uint8_t chip_sleep_within(uint16_t wake_us)
{
    static const uint8_t takes_us[CHIP_SLEEP_MODES] = {4, 13, 13, 20};
    uint8_t mode = CHIP_SLEEP_MODES;
    while (mode > 0 && takes_us[mode - 1] > wake_us) {
        mode--;
    }
    assert(mode > 0);
    return (uint8_t)(mode - 1);
}
