/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The SPI bus: the serial peripheral interface as master (ATmega128 data sheet, Serial Peripheral
 * Interface). An interrupt comes after each byte, while a piece is moved by interrupts; the chip
 * has one interface, so its state is here. */
#include "chip/spi.h"

#include "chip/chip.h"
#include "chip/atmega128/pin.h"
#include "chip/atmega128/registers.h"
#include "chip/atmega128/wiring.h"

enum {
    CONTROL = 1 << SPE | 1 << MSTR,
    SLOWEST = 7, /* the clock divided by 2 << 6 */
};

/* The piece under way; written while no interrupt can come, then by the interrupt. */
static const uint8_t *out;
static uint8_t *in;
static size_t left;
static bool is_lost;

/* SS must be an output, or a low level there would end the master's work; it may select a part, so
 * it is high. */
void spi_port_open(const ARCH_FLASH struct spi_port *port)
{
    (void)port;
    pin_output(GPIO_PIN('B', 0), 1);
    pin_output(GPIO_PIN('B', 1), 0);
    pin_output(GPIO_PIN('B', 2), 0);
}

/* How often the clock is halved for a rate of at most `hz`; SLOWEST + 1 if that is not possible. */
static uint8_t halvings_of(uint32_t hz)
{
    uint8_t halvings = 1;

    for (uint32_t rate = chip_clock_hz() / 2; rate > hz && halvings <= SLOWEST; rate /= 2) {
        halvings++;
    }
    return halvings;
}

bool spi_port_is_possible(const ARCH_FLASH struct spi_port *port, uint32_t hz)
{
    (void)port;
    return halvings_of(hz) <= SLOWEST;
}

/* SPR divides by 4, 16, 64 and 128; SPI2X halves that. */
void spi_port_configure(const ARCH_FLASH struct spi_port *port, uint8_t mode, uint32_t hz)
{
    uint8_t halvings = halvings_of(hz);

    (void)port;
    SPSR = halvings % 2 != 0 && halvings < SLOWEST ? 1 << SPI2X : 0;
    SPCR = (uint8_t)(CONTROL | mode << CPHA | (halvings == SLOWEST ? 3 : (halvings - 1) / 2));
}

static void send_next(void)
{
    SPDR = out != 0 ? *out++ : 0;
}

void spi_port_move(const ARCH_FLASH struct spi_port *port, const uint8_t *out_, uint8_t *in_,
                   size_t length)
{
    (void)port;
    out = out_;
    in = in_;
    left = length;
    is_lost = false;
    SPCR |= 1 << SPIE;
    send_next();
}

static inline __attribute__((always_inline)) uint8_t exchange(uint8_t byte)
{
    SPDR = byte;
    while (!(SPSR & 1 << SPIF)) {
    }
    return SPDR;
}

void spi_port_exchange(const ARCH_FLASH struct spi_port *port, uint8_t *bytes, size_t length)
{
    (void)port;
    SPCR &= (uint8_t) ~(1 << SPIE);
    for (; length != 0; length--) {
        *bytes = exchange(*bytes);
        bytes++;
    }
}

void spi_port_move_at_once(const ARCH_FLASH struct spi_port *port, const uint8_t *out_,
                           uint8_t *in_, size_t length)
{
    (void)port;
    SPCR &= (uint8_t) ~(1 << SPIE);
    if (out_ != 0) {
        for (; length != 0; length--) {
            (void)exchange(*out_++);
        }
    } else if (in_ != 0) {
        for (; length != 0; length--) {
            *in_++ = exchange(0);
        }
    } else {
        for (; length != 0; length--) {
            (void)exchange(0);
        }
    }
}

/* A handler that was deferred may come after the piece has been given up. */
bool spi_interrupt_begin(void)
{
    uint8_t byte = SPDR;

    if (left == 0) {
        return false;
    }
    is_lost = !(SPCR & 1 << MSTR);
    if (in != 0) {
        *in++ = byte;
    }
    left--;
    if (left > 0 && !is_lost) {
        send_next();
        return false;
    }
    return true;
}

unsigned spi_port_pending(const ARCH_FLASH struct spi_port *port)
{
    (void)port;
    return is_lost ? SPI_FAULT : SPI_ENDED;
}

/* A byte that is on its way is cut off. */
void spi_port_stop(const ARCH_FLASH struct spi_port *port)
{
    (void)port;
    left = 0;
    SPCR &= (uint8_t) ~(1 << SPE);
    SPCR |= 1 << SPE | 1 << MSTR;
}
