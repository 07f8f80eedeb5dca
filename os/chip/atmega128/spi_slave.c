/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The serial peripheral interface as a slave (ATmega128 data sheet, Serial Peripheral Interface).
 *
 * PB0 is SS: an input without a pull-up that the board leaves at a low level, which selects the
 * slave. PB1 is SCK, PB2 MOSI, and PB3 MISO. The receiver is double buffered, the transmitter is
 * not: SPDR can only be written between two bytes. That is what the entry of the interrupt is for
 * (CHIP_SPI_SLAVE_INTERRUPT in wiring.h).
 */
#include "chip/spi_slave.h"

#include <lichen/gpio.h>

#include "chip/atmega128/pin.h"
#include "chip/atmega128/registers.h"

enum {
    MISO = GPIO_PIN('B', 3),
    PINS_Msk = 0x0f, /* PB0 to PB3 */
};

volatile uint8_t spi_slave_out;

uint8_t spi_slave_in(void)
{
    return SPDR;
}

/* Reading SPSR, and then SPDR, clears WCOL. */
bool spi_slave_was_late(void)
{
    return SPSR & 1 << WCOL;
}

void spi_slave_open(void)
{
    register_update(&DDRB, PINS_Msk, 0);
    register_update(&PORTB, PINS_Msk, 0);
    SPCR = 1 << SPIE | 1 << SPE;
}

void spi_slave_close(void)
{
    SPCR = 0;
    spi_slave_drive(false);
}

void spi_slave_drive(bool drives)
{
    register_update(&DDRB, 1 << (MISO & 7), drives ? 1 << (MISO & 7) : 0);
}
