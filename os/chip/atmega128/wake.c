/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How long it takes to wake (data sheet, Crystal Oscillator): 6 cycles while the crystal runs, else
 * 16,384 cycles, 2.2 ms at 7.3728 MHz. */
#include "chip/chip.h"

#include <lichen/assert.h>

uint8_t chip_sleep_within(uint16_t wake_us)
{
    static const ARCH_FLASH uint16_t takes_us[CHIP_SLEEP_MODES] = {1, 1, 1, 2250};
    uint8_t mode = CHIP_SLEEP_MODES;
    while (mode > 0 && takes_us[mode - 1] > wake_us) {
        mode--;
    }
    assert(mode > 0);
    return (uint8_t)(mode - 1);
}
