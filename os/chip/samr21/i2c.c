/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* I2C buses: SERCOM as I2C master (SAM R21 data sheet, SERCOM I2C).
 *
 * What is read comes by DMA. The port is told the length with the address; it acknowledges each
 * byte but the last, and sends the stop (data sheet, Master DMA). It can count to 255: a longer
 * read is taken byte by byte, in smart mode, in which fetching a byte acknowledges it. What is
 * written is not moved by DMA, because the port tells nobody that a byte has not been acknowledged
 * before the last one is on its way.
 *
 * The port counts how long SCL is low, with the slow clock that all SERCOMs share, and gives the
 * bus up after 25 to 35 ms.
 */
#include "chip/i2c.h"

#include <lichen/gpio.h>
#include <lichen/interrupt.h>

#include "chip/chip.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/dma.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/pin.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/sercom.h"
#include "chip/samr21/wiring.h"

CLOCK_NEEDS(clock_8m);
CLOCK_NEEDS(clock_32k);

_Static_assert((int)I2C_SENT == (int)I2CM_INT_MB, "condition is the flag's bit");
_Static_assert((int)I2C_RECEIVED == (int)I2CM_INT_SB, "condition is the flag's bit");
_Static_assert((int)I2C_REFUSED == (int)I2CM_STATUS_RXNACK, "condition is the flag's bit");
_Static_assert((int)I2C_LATE == (int)I2CM_STATUS_LOWTOUT, "condition is the flag's bit");

enum {
    /* A period of SCL has 10 cycles of the port's clock more than 2 * BAUD. */
    SCL_OVERHEAD = 10,
    RECOVERY_CLOCKS = 9, /* a byte, and its acknowledge */
    QUARTER_LOOPS = 8,   /* of 4 cycles: 4 us at 8 MHz; and what sets a pin takes as long */
    POLLS = 100,
};

static struct sercom_i2cm *registers_of(const ARCH_FLASH struct i2c_port *port)
{
    return SERCOM_I2CM(port->sercom);
}

/* How a read by DMA has ended, if nobody has been told yet: the channel's flags. Written and read
 * by the drivers' interrupts. */
static uint8_t moved;

void i2c_port_moved(unsigned flags)
{
    moved = (uint8_t)flags;
}

static void wait_while_busy(struct sercom_i2cm *i2c)
{
    while (i2c->SYNCBUSY) {
    }
}

void i2c_port_open(const ARCH_FLASH struct i2c_port *port, uint32_t hz)
{
    struct sercom_i2cm *i2c = registers_of(port);
    uint32_t clock = (uint32_t)PM_APBCMASK_SERCOM0 << port->sercom;
    uint32_t control = I2CM_CTRLA_MODE_MASTER | I2CM_CTRLA_SDAHOLD_600NS | I2CM_CTRLA_LOWTOUTEN;

    shared_register_update(&PM->APBCMASK, clock, clock);
    clock_connect(GCLK_ID_SERCOM0_CORE + port->sercom, CLOCK_8M);
    clock_connect(GCLK_ID_SERCOMX_SLOW, CLOCK_32K);
    i2c->CTRLA = I2CM_CTRLA_SWRST;
    wait_while_busy(i2c);
    i2c->CTRLA = control;
    i2c->CTRLB = I2CM_CTRLB_SMEN;
    i2c->BAUD = (CLOCK_8M_HZ / hz - SCL_OVERHEAD) / 2;
    gpio_pin_connect(port->sda_pin, port->function);
    gpio_pin_connect(port->scl_pin, port->function);
    i2c->CTRLA = control | I2CM_CTRLA_ENABLE;
    wait_while_busy(i2c);
    i2c->STATUS = I2CM_STATUS_IDLE; /* it is the only master */
    wait_while_busy(i2c);
    i2c->INTENSET = I2CM_INT_MB | I2CM_INT_ERROR;
    dma_open(port->channel, DMA_SERCOM0_RECEIVED + 2u * port->sercom);
    port->channel->BTCTRL = DMA_TO_MEMORY | DMA_BYTES;
    port->channel->SRCADDR = (uintptr_t)&i2c->DATA;
    chip_interrupt_enable(INTERRUPT_SERCOM0 + port->sercom, LEVEL_DRIVER);
}

/* Returns the bits of ADDR that go with the length. */
static uint32_t prepare_read(const ARCH_FLASH struct i2c_port *port, void *in, size_t length)
{
    if (length > I2CM_ADDR_LEN_MAX) {
        registers_of(port)->INTENSET = I2CM_INT_SB;
        return 1;
    }
    port->channel->BTCNT = (uint16_t)length;
    port->channel->DSTADDR = (uintptr_t)in + length;
    dma_start(port->channel);
    return 1 | I2CM_ADDR_LENEN | (uint32_t)length << I2CM_ADDR_LEN_Pos;
}

/* A stop that is still on its way must not become a repeated start. */
void i2c_port_start(const ARCH_FLASH struct i2c_port *port, uint8_t address, void *in,
                    size_t length)
{
    struct sercom_i2cm *i2c = registers_of(port);
    uint32_t read = length > 0 ? prepare_read(port, in, length) : 0;

    for (unsigned polls = POLLS; polls > 0; polls--) {
        if ((i2c->STATUS & (I2CM_STATUS_BUSSTATE | I2CM_STATUS_CLKHOLD)) != I2CM_STATUS_OWNER) {
            break;
        }
    }
    i2c->ADDR = (uint32_t)address << 1 | read;
}

/* A start waits while something holds SDA low, for as long as it does. */
bool i2c_port_is_watched(const ARCH_FLASH struct i2c_port *port)
{
    return (registers_of(port)->STATUS & I2CM_STATUS_BUSSTATE) != I2CM_STATUS_BUSY;
}

/* A block that has ended needs no look at the port: its registers are slow to read, and what the
 * port has to say of a later condition comes with an interrupt of its own. */
unsigned i2c_port_pending(const ARCH_FLASH struct i2c_port *port)
{
    struct sercom_i2cm *i2c = registers_of(port);
    unsigned flags = moved;

    if (flags != 0) {
        moved = 0;
        return flags & DMA_COMPLETE ? I2C_ENDED : I2C_FAULT;
    }
    uint16_t status = i2c->STATUS;
    unsigned arisen = i2c->INTFLAG & (I2CM_INT_MB | I2CM_INT_SB);
    if (arisen & I2CM_INT_SB) {
        arisen &= i2c->INTENSET; /* else DMA fetches the byte */
    }
    return arisen | (status & (I2CM_STATUS_RXNACK | I2CM_STATUS_LOWTOUT)) |
           (status & (I2CM_STATUS_ARBLOST | I2CM_STATUS_BUSERR) ? I2C_LOST : 0u);
}

void i2c_port_send(const ARCH_FLASH struct i2c_port *port, uint8_t byte)
{
    registers_of(port)->DATA = byte;
}

/* The last byte is fetched after the stop, since fetching would acknowledge it. */
uint8_t i2c_port_receive(const ARCH_FLASH struct i2c_port *port, size_t left)
{
    struct sercom_i2cm *i2c = registers_of(port);

    if (left == 0) {
        i2c->CTRLB = I2CM_CTRLB_SMEN | I2CM_CTRLB_NACK | I2CM_CTRLB_CMD_STOP;
        wait_while_busy(i2c);
        i2c->CTRLB = I2CM_CTRLB_SMEN;
        i2c->INTENCLR = I2CM_INT_SB;
    }
    return i2c->DATA;
}

void i2c_port_stop(const ARCH_FLASH struct i2c_port *port)
{
    struct sercom_i2cm *i2c = registers_of(port);

    dma_stop(port->channel);
    i2c->INTENCLR = I2CM_INT_SB;
    i2c->CTRLB = I2CM_CTRLB_SMEN | I2CM_CTRLB_CMD_STOP;
    wait_while_busy(i2c);
    /* A command does not clear them if the bus is lost. */
    i2c->INTFLAG = I2CM_INT_MB | I2CM_INT_SB | I2CM_INT_ERROR;
}

static void pass_a_quarter(void)
{
    for (unsigned loops = QUARTER_LOOPS; loops > 0; loops--) {
        __asm__ volatile("");
    }
}

/* A part that was left in the middle of a byte drives SDA low until it has sent a 1, or has been
 * given the end of its acknowledge (I2C specification UM10204, "Bus clear"). As soon as it does
 * not, SDA rises while SCL is high, which is a stop. The bus has resistors, so the lines are driven
 * low or released. */
bool i2c_port_recover(const ARCH_FLASH struct i2c_port *port, uint32_t hz)
{
    struct sercom_i2cm *i2c = registers_of(port);

    dma_stop(port->channel);
    i2c->CTRLA = 0;
    wait_while_busy(i2c);
    for (unsigned clocks = RECOVERY_CLOCKS; clocks > 0; clocks--) {
        gpio_output(port->scl_pin, 0);
        gpio_output(port->sda_pin, 0);
        pass_a_quarter();
        pass_a_quarter();
        gpio_input(port->scl_pin, GPIO_PULL_NONE);
        pass_a_quarter();
        gpio_input(port->sda_pin, GPIO_PULL_NONE);
        pass_a_quarter();
    }
    bool is_free = gpio_read(port->scl_pin) && gpio_read(port->sda_pin);
    i2c_port_open(port, hz);
    return is_free;
}
