/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Serial ports: USART0 and USART1 in asynchronous mode at double speed (ATmega128 data sheet,
 * USART).
 *
 * A port does not receive in sleep modes deeper than IDLE.
 */
#include "chip/usart.h"

#include "chip/chip.h"
#include "chip/atmega128/registers.h"
#include "chip/atmega128/wiring.h"

#define FORMAT (1 << UCSZ01 | 1 << UCSZ00) /* 8 data bits, 1 stop bit */

_Static_assert(USART_DAMAGED == 1 << FE0 && USART_OVERRUN == 1 << DOR0 &&
                   USART_WRONG_PARITY == 1 << UPE0,
               "error is the flag's bit");

#define POLLS 20000u /* of some 10 cycles: more than a byte at 2,400 baud takes */

struct usart {
    volatile uint8_t *a, *b, *c, *data, *rate_high, *rate_low;
};

/* Per port the conditions that are causes of its interrupt; the registers' bits are clear while a
 * handler runs (lichen/vectors.h). Written at the kernel level and in the handlers. */
static volatile uint8_t causes[2];

/* USART_SENT while the handler of that vector runs: the processor has cleared the flag. */
static uint8_t sent[2];

static const ARCH_FLASH struct usart usarts[] = {
    {&UCSR0A, &UCSR0B, &UCSR0C, &UDR0, &UBRR0H, &UBRR0L},
    {&UCSR1A, &UCSR1B, &UCSR1C, &UDR1, &UBRR1H, &UBRR1L},
};

static const ARCH_FLASH struct usart *registers_of(const ARCH_FLASH struct usart_port *port)
{
    return &usarts[port->usart];
}

/* UBRR. Double speed: 8 clocks a sample pair, so the rate is f / 8 / (UBRR + 1). 57,600 baud is
 * exact at 7.3728 MHz. */
static uint16_t divider(uint32_t baud)
{
    return (uint16_t)((chip_clock_hz() / 4 / baud - 1) / 2);
}

bool usart_can(uint32_t baud)
{
    uint32_t highest = chip_clock_hz() / 8;
    if (baud < 300 || baud > highest) {
        return false;
    }
    uint32_t made = highest / (divider(baud) + 1u);
    uint32_t off = made > baud ? made - baud : baud - made;
    return off <= baud / 50;
}

void usart_open(const ARCH_FLASH struct usart_port *port, uint32_t baud)
{
    const ARCH_FLASH struct usart *usart = registers_of(port);
    uint16_t rate = divider(baud);

    *usart->rate_high = (uint8_t)(rate >> 8);
    *usart->rate_low = (uint8_t)rate;
    *usart->a = 1 << U2X0;
    *usart->c = FORMAT;
    *usart->b = 1 << RXEN0 | 1 << TXEN0;
    usart_enable(port, USART_RECEIVED);
}

void usart_set_parity(const ARCH_FLASH struct usart_port *port, enum usart_parity parity)
{
    if (parity != USART_NO_PARITY) {
        *registers_of(port)->c =
            (uint8_t)(FORMAT | 1 << UPM01 | (parity == USART_ODD_PARITY) << UPM00);
    }
}

_Static_assert(1 << UDRIE0 == USART_SEND_READY << 5 && 1 << TXCIE0 == USART_SENT << 5 &&
                   1 << RXCIE0 == USART_RECEIVED << 5,
               "UCSRnA and UCSRnB have the conditions as bits 5 to 7");

void usart_enable(const ARCH_FLASH struct usart_port *port, enum usart_condition condition)
{
    register_update(&causes[port->usart], condition, condition);
    register_update(registers_of(port)->b, (uint8_t)(condition << 5), (uint8_t)(condition << 5));
}

void usart_disable(const ARCH_FLASH struct usart_port *port, enum usart_condition condition)
{
    register_update(&causes[port->usart], condition, 0);
    register_update(registers_of(port)->b, (uint8_t)(condition << 5), 0);
}

unsigned usart_pending(const ARCH_FLASH struct usart_port *port)
{
    return (*registers_of(port)->a >> 5 | sent[port->usart]) & causes[port->usart];
}

void usart_interrupt_sent(const ARCH_FLASH struct usart_port *port)
{
    sent[port->usart] = USART_SENT;
}

void usart_interrupt_end(const ARCH_FLASH struct usart_port *port)
{
    sent[port->usart] = 0;
    uint8_t bits = (uint8_t)(causes[port->usart] << 5);

    register_update(registers_of(port)->b, bits, bits);
}

/* Writes two registers, one right after the other. Interrupts are off for 5 cycles. */
static inline void write_pair(volatile uint8_t *first, uint8_t value, volatile uint8_t *second,
                              uint8_t other)
{
    uint8_t status;
    __asm__ volatile("in %0, 0x3f\n\t"
                     "cli\n\t"
                     "st %a1, %2\n\t"
                     "st %a3, %4\n\t"
                     "out 0x3f, %0"
                     : "=&r"(status)
                     : "e"(first), "r"(value), "e"(second), "r"(other)
                     : "memory");
}

/* The byte before may end just now: once the next one is in its place, TXC can be cleared, and it
 * cannot be set again before that one has left. */
void usart_send(const ARCH_FLASH struct usart_port *port, uint8_t byte)
{
    const ARCH_FLASH struct usart *usart = registers_of(port);

    write_pair(usart->data, byte, usart->a, 1 << U2X0 | 1 << TXC0);
}

unsigned usart_receive(const ARCH_FLASH struct usart_port *port, uint8_t *byte)
{
    const ARCH_FLASH struct usart *usart = registers_of(port);
    uint8_t status = *usart->a;

    *byte = *usart->data;
    return status & USART_ERRORS;
}

static bool comes(const ARCH_FLASH struct usart *usart, uint8_t flag)
{
    for (unsigned polls = POLLS; polls > 0; polls--) {
        if (*usart->a & flag) {
            return true;
        }
    }
    return false;
}

bool usart_send_waiting(const ARCH_FLASH struct usart_port *port, uint8_t byte)
{
    const ARCH_FLASH struct usart *usart = registers_of(port);

    if (!comes(usart, 1 << UDRE0)) {
        return false;
    }
    usart_send(port, byte);
    return comes(usart, 1 << TXC0);
}
