/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The I2C bus: the two-wire interface as master (ATmega128 data sheet, Two-wire Serial Interface).
 *
 * After each step TWINT is set, TWSR says what has happened, and SCL is held low until TWCR is
 * written with TWINT. TWINT is a level: the entry of the interrupt clears TWIE (lichen/vectors.h),
 * and each step sets it again. TWCR is only ever written as a whole.
 *
 * The interface acknowledges a byte or not as was said before it receives it, so it must know in
 * advance which byte is the last.
 */
#include "chip/i2c.h"

#include <lichen/gpio.h>

#include "chip/chip.h"
#include "chip/atmega128/registers.h"
#include "chip/atmega128/wiring.h"

/* What TWSR says (data sheet, status codes of master modes), with a prescaler of 1. */
enum {
    STARTED = 0x08,
    STARTED_AGAIN = 0x10,
    WRITE_ACKNOWLEDGED = 0x18,
    WRITE_REFUSED = 0x20,
    SENT_ACKNOWLEDGED = 0x28,
    SENT_REFUSED = 0x30,
    ARBITRATION_LOST = 0x38,
    READ_ACKNOWLEDGED = 0x40,
    READ_REFUSED = 0x48,
    RECEIVED = 0x50,
    RECEIVED_LAST = 0x58,
};

enum {
    GO = 1 << TWINT | 1 << TWEN | 1 << TWIE,
    SCL_OVERHEAD = 16,   /* a period of SCL has so many cycles more than 2 * TWBR */
    RECOVERY_CLOCKS = 9, /* a byte, and its acknowledge */
    HALF_A_CLOCK = 37,   /* cycles: 5 us */
};

/* Of the transfer; written while no interrupt can come. */
static uint8_t address_byte; /* the address, and whether it reads */
static bool is_last;         /* the byte that is received next */

/* The bus may have no resistors but the pins' own. */
void i2c_port_open(const ARCH_FLASH struct i2c_port *port, uint32_t hz)
{
    uint16_t cycles = (uint16_t)((chip_clock_hz() + hz - 1) / hz);

    gpio_input(port->sda_pin, GPIO_PULL_UP);
    gpio_input(port->scl_pin, GPIO_PULL_UP);
    TWSR = 0;
    TWBR = (uint8_t)((cycles - SCL_OVERHEAD + 1) / 2);
    TWCR = 1 << TWEN;
}

void i2c_port_start(const ARCH_FLASH struct i2c_port *port, uint8_t address, void *in,
                    size_t length)
{
    (void)port;
    (void)in;
    address_byte = (uint8_t)(address << 1 | (length > 0));
    is_last = length == 1;
    TWCR = GO | 1 << TWSTA;
}

/* The interface waits as long as a line is low. */
bool i2c_port_is_watched(const ARCH_FLASH struct i2c_port *port)
{
    (void)port;
    return false;
}

static void receive_next(void)
{
    TWCR = is_last ? GO : GO | 1 << TWEA;
}

/* A handler that was deferred may come after the transfer has been given up: TWINT is clear. */
bool i2c_interrupt_begin(void)
{
    if (!(TWCR & 1 << TWINT)) {
        return false;
    }
    switch (TWSR) {
    case STARTED:
    case STARTED_AGAIN:
        TWDR = address_byte;
        TWCR = GO;
        return false;
    case READ_ACKNOWLEDGED:
        receive_next();
        return false;
    default:
        return true;
    }
}

/* What is not listed is a loss of arbitration, or the status 0 of a bus error: a start or stop
 * within a byte. */
unsigned i2c_port_pending(const ARCH_FLASH struct i2c_port *port)
{
    (void)port;
    switch (TWSR) {
    case WRITE_ACKNOWLEDGED:
    case SENT_ACKNOWLEDGED:
        return I2C_SENT;
    case WRITE_REFUSED:
    case SENT_REFUSED:
    case READ_REFUSED:
        return I2C_SENT | I2C_REFUSED;
    case RECEIVED:
    case RECEIVED_LAST:
        return I2C_RECEIVED;
    default:
        return I2C_LOST;
    }
}

void i2c_port_send(const ARCH_FLASH struct i2c_port *port, uint8_t byte)
{
    (void)port;
    TWDR = byte;
    TWCR = GO;
}

uint8_t i2c_port_receive(const ARCH_FLASH struct i2c_port *port, size_t left)
{
    uint8_t byte = TWDR;

    is_last = left == 1;
    if (left == 0) {
        i2c_port_stop(port);
    } else {
        receive_next();
    }
    return byte;
}

/* The stop takes one or two periods of SCL, 74 cycles each. The kernel takes 319 to end the call,
 * so neither the next start nor sleep comes before. After a bus error TWSTO releases the lines; who
 * has lost the bus has nothing to stop. */
void i2c_port_stop(const ARCH_FLASH struct i2c_port *port)
{
    (void)port;
    TWCR = TWSR == ARBITRATION_LOST ? 1 << TWINT | 1 << TWEN : 1 << TWINT | 1 << TWEN | 1 << TWSTO;
}

/* A part that was left in the middle of a byte drives SDA low until it has sent a 1, or has been
 * given the end of its acknowledge (I2C specification UM10204, "Bus clear"). As soon as it does
 * not, SDA rises while SCL is high, which is a stop. */
bool i2c_port_recover(const ARCH_FLASH struct i2c_port *port, uint32_t hz)
{
    TWCR = 0;
    for (uint8_t clocks = RECOVERY_CLOCKS; clocks > 0; clocks--) {
        gpio_output(port->scl_pin, 0);
        gpio_output(port->sda_pin, 0);
        __builtin_avr_delay_cycles(HALF_A_CLOCK);
        gpio_input(port->scl_pin, GPIO_PULL_UP);
        __builtin_avr_delay_cycles(HALF_A_CLOCK);
        gpio_input(port->sda_pin, GPIO_PULL_UP);
        __builtin_avr_delay_cycles(HALF_A_CLOCK);
    }
    bool is_free = gpio_read(port->scl_pin) && gpio_read(port->sda_pin);
    i2c_port_open(port, hz);
    return is_free;
}
