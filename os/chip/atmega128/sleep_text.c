/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Names of the sleep modes. */
#include "arch/arch.h"
#include "chip/chip.h"

const char *chip_sleep_text(uint8_t mode)
{
    const char *text = ARCH_TEXT("idle\0"
                                 "ADC noise reduction\0"
                                 "extended standby\0"
                                 "power-save");

    for (; mode > 0; mode--) {
        while (arch_text(text++) != '\0') {
        }
    }
    return text;
}
