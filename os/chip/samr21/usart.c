/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Serial ports: SERCOM as USART with its internal clock (SAM R21 data sheet, SERCOM USART).
 *
 * Reception with start-of-frame detection: in standby the port has no clock. A falling edge on
 * the line starts OSC8M, which is ready within a fraction of a bit at 115,200 baud, the frame
 * is received with the processor still asleep, and the complete byte wakes it.
 */
#include "chip/usart.h"

#include <lichen/interrupt.h>

#include "chip/chip.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/pin.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/sercom.h"
#include "chip/samr21/wiring.h"

CLOCK_NEEDS(clock_8m);

_Static_assert((int)USART_SEND_READY == (int)USART_INT_DRE, "condition is the flag's bit");
_Static_assert((int)USART_SENT == (int)USART_INT_TXC, "condition is the flag's bit");
_Static_assert((int)USART_DAMAGED == (int)USART_STATUS_FERR &&
                   (int)USART_OVERRUN == (int)USART_STATUS_BUFOVF &&
                   (int)USART_WRONG_PARITY == (int)USART_STATUS_PERR,
               "error is the flag's bit");
_Static_assert((int)USART_RECEIVED == (int)USART_INT_RXC, "condition is the flag's bit");

enum {
    SAMPLES_PER_BIT = 16,
    TXPO_PAD0 = 0,
    TXPO_PAD2 = 1,
    POLLS = 1 << 15, /* of 9 cycles: a byte at 2,400 baud takes less at 48 MHz */
};

static struct sercom_usart *registers_of(const ARCH_FLASH struct usart_port *port)
{
    return SERCOM_USART(port->sercom);
}

/* Arithmetic generator: f / 16 * (1 - BAUD / 65536), rounded to the nearest. At 8 MHz the error is
 * 0.004 % for 115,200 baud and below 0.03 % down to 9,600. Both factors are divided by 512, so that
 * 32 bits hold the product up to the highest rate, 500,000 baud. */
static uint16_t arithmetic_baud(uint32_t baud)
{
    uint32_t scaled_hz = CLOCK_8M_HZ / 512;
    uint32_t share = (baud * (65536 / 512 * SAMPLES_PER_BIT) + scaled_hz / 2) / scaled_hz;

    return (uint16_t)(65536 - share);
}

static void wait_while_busy(struct sercom_usart *usart)
{
    while (usart->SYNCBUSY) {
    }
}

/* A step of the divider is 7.6 baud, so slower rates may be wrong by more than 2 %. */
enum {
    SLOWEST_BAUD = 200,
};

bool usart_can(uint32_t baud)
{
    return baud >= SLOWEST_BAUD && baud <= CLOCK_8M_HZ / SAMPLES_PER_BIT;
}

void usart_open(const ARCH_FLASH struct usart_port *port, uint32_t baud)
{
    struct sercom_usart *usart = registers_of(port);

    uint32_t clock = (uint32_t)PM_APBCMASK_SERCOM0 << port->sercom;
    uint32_t control = USART_CTRLA_MODE_INT_CLK | USART_CTRLA_IBON | USART_CTRLA_DORD_LSB |
                       (uint32_t)(port->send_pad == 0 ? TXPO_PAD0 : TXPO_PAD2)
                           << USART_CTRLA_TXPO_Pos |
                       (uint32_t)port->receive_pad << USART_CTRLA_RXPO_Pos;

    shared_register_update(&PM->APBCMASK, clock, clock);
    clock_connect(GCLK_ID_SERCOM0_CORE + port->sercom, CLOCK_8M);
    usart->CTRLA = USART_CTRLA_SWRST;
    wait_while_busy(usart);
    usart->CTRLA = control;
    usart->CTRLB = USART_CTRLB_TXEN | USART_CTRLB_RXEN | USART_CTRLB_SFDE;
    wait_while_busy(usart);
    usart->BAUD = arithmetic_baud(baud);
    usart->CTRLA = control | USART_CTRLA_ENABLE;
    wait_while_busy(usart);
    gpio_pin_connect(port->send_pin, port->function);
    gpio_pin_connect(port->receive_pin, port->function);
    usart->INTENSET = USART_INT_RXC;
    chip_interrupt_enable(INTERRUPT_SERCOM0 + port->sercom, LEVEL_DRIVER);
}

/* The registers are locked while the port is enabled. */
void usart_set_parity(const ARCH_FLASH struct usart_port *port, enum usart_parity parity)
{
    struct sercom_usart *usart = registers_of(port);
    uint32_t control = usart->CTRLA & ~(uint32_t)USART_CTRLA_ENABLE;

    if (parity == USART_NO_PARITY) {
        return;
    }
    usart->CTRLA = control;
    wait_while_busy(usart);
    if (parity == USART_ODD_PARITY) {
        usart->CTRLB |= USART_CTRLB_PMODE_ODD;
        wait_while_busy(usart);
    }
    usart->CTRLA = control | USART_CTRLA_FORM_PARITY | USART_CTRLA_ENABLE;
    wait_while_busy(usart);
}

void usart_enable(const ARCH_FLASH struct usart_port *port, enum usart_condition condition)
{
    registers_of(port)->INTENSET = (uint8_t)condition;
}

void usart_disable(const ARCH_FLASH struct usart_port *port, enum usart_condition condition)
{
    registers_of(port)->INTENCLR = (uint8_t)condition;
}

unsigned usart_pending(const ARCH_FLASH struct usart_port *port)
{
    struct sercom_usart *usart = registers_of(port);

    return usart->INTFLAG & usart->INTENSET;
}

void usart_send(const ARCH_FLASH struct usart_port *port, uint8_t byte)
{
    registers_of(port)->DATA = byte;
}

/* With IBON an overrun is flagged at once. It happens while two bytes wait, so the read of one of
 * them sees it. */
unsigned usart_receive(const ARCH_FLASH struct usart_port *port, uint8_t *byte)
{
    struct sercom_usart *usart = registers_of(port);
    uint16_t status = usart->STATUS;

    usart->STATUS = status;
    *byte = (uint8_t)usart->DATA;
    return status & USART_ERRORS;
}

static bool comes(const struct sercom_usart *usart, uint8_t flag)
{
    for (unsigned polls = POLLS; polls > 0; polls--) {
        if (usart->INTFLAG & flag) {
            return true;
        }
    }
    return false;
}

bool usart_send_waiting(const ARCH_FLASH struct usart_port *port, uint8_t byte)
{
    struct sercom_usart *usart = registers_of(port);

    if (!comes(usart, USART_INT_DRE)) {
        return false;
    }
    usart->DATA = byte;
    return comes(usart, USART_INT_TXC);
}
