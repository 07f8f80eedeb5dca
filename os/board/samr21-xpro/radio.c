/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SAM R21 Xplained Pro: the radio in the chip's package. In a separate file, so that a program
 * without it does not link the driver and its interrupts. */
#include <lichen/gpio.h>
#include <lichen/init.h>

#include "chip/samr21/wiring.h"
#include "chip/spi.h"
#include "driver/radio/at86rf233/wiring.h"

CHIP_SPI_INTERRUPTS_TO(radio_spi, CHIP_RADIO_SERCOM, at86rf233_interrupt())

static const ARCH_FLASH struct spi_port port = {
    CHIP_RADIO_LINES,
    .send = &radio_spi_send,
    .receive = &radio_spi_receive,
    .conditions = &radio_spi_conditions,
};

const ARCH_FLASH struct at86rf233_wiring at86rf233_wiring = {
    .port = &port,
    .select = CHIP_RADIO_SELECT,
    .reset = CHIP_RADIO_RESET,
    .sleep = CHIP_RADIO_SLEEP,
};

RADIO_IS(at86rf233, AT86RF233_FACTS);

/* A switch connects the radio with the antenna on the board, or with the connector beside it. */
static void antenna_select(void)
{
    gpio_output(GPIO_PIN('A', 9), false);
    gpio_output(GPIO_PIN('A', 12), true);
}
INIT_IN(CHIP, antenna_select);
