/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Receiving needs the I/O clock, which only idle mode leaves running, and no edge of RXD wakes
 * (data sheet, Power Management and Sleep Modes). In a separate file, so that programs that read no
 * bytes sleep as deeply as without it.
 */
#include "chip/chip.h"

#include <lichen/power.h>

POWER_LIMIT(listening_limit);

void usart_listen(void)
{
    if (listening_limit == 0) {
        power_limit(&listening_limit, CHIP_SLEEP_IDLE);
    }
}
