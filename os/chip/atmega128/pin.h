/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The pins of the ATmega128: PINx, DDRx and PORTx of seven ports (data sheet, I/O Ports). Those of
 * A to E follow each other, at addresses that SBI and CBI reach; F and G do not fit in.
 */
#ifndef ATMEGA128_PIN_H
#define ATMEGA128_PIN_H

#include <stdbool.h>

#include <lichen/gpio.h>

#include "chip/atmega128/registers.h"

#define PINS_PER_PORT 32u

static inline uint8_t mask_of(uint8_t pin)
{
    return (uint8_t)(1u << (pin & 7u));
}

/* PORTx. DDRx is the byte before it, and PINx the one before that, except PINF. */
static inline volatile uint8_t *port_of(uint8_t pin)
{
    static const ARCH_FLASH uint8_t ports[] = {0x3b, 0x38, 0x35, 0x32, 0x23, 0x62, 0x65};
    return (volatile uint8_t *)(uintptr_t)ports[pin / PINS_PER_PORT];
}

static inline volatile uint8_t *input_of(uint8_t pin)
{
    return pin / PINS_PER_PORT == 'F' - 'A' ? &PINF : port_of(pin) - 2;
}

void pin_is_not_of_ports_a_to_e(void)
    __attribute__((error("the pin must be of port A, B, C, D or E")));

/* PORTx of a pin of A to E that is a compile-time constant. */
static inline __attribute__((always_inline)) volatile uint8_t *constant_port(uint8_t pin)
{
    if (pin / PINS_PER_PORT > 'E' - 'A') {
        pin_is_not_of_ports_a_to_e();
    }
    return pin / PINS_PER_PORT == 0   ? &PORTA
           : pin / PINS_PER_PORT == 1 ? &PORTB
           : pin / PINS_PER_PORT == 2 ? &PORTC
           : pin / PINS_PER_PORT == 3 ? &PORTD
                                      : &PORTE;
}

/* gpio_set and gpio_clear for such a pin, in one instruction. */
static inline __attribute__((always_inline)) void pin_drive(uint8_t pin, bool level)
{
    if (level) {
        *constant_port(pin) |= mask_of(pin);
    } else {
        *constant_port(pin) &= (uint8_t)~mask_of(pin);
    }
}

/* gpio_read for such a pin. */
static inline __attribute__((always_inline)) bool pin_read(uint8_t pin)
{
    return constant_port(pin)[-2] & mask_of(pin);
}

/* gpio_output for such a pin and a level that is a constant, too: a board's, at start-up. */
static inline __attribute__((always_inline)) void pin_output(uint8_t pin, bool level)
{
    if (level) {
        *constant_port(pin) |= mask_of(pin);
    }
    constant_port(pin)[-1] |= mask_of(pin);
}

/* gpio_input for such a pin, without a pull-up. */
static inline __attribute__((always_inline)) void pin_input(uint8_t pin)
{
    constant_port(pin)[-1] &= (uint8_t)~mask_of(pin);
    *constant_port(pin) &= (uint8_t)~mask_of(pin);
}

/* Until pin_read tells a level that another part has set now: that comes by a synchronizer. */
static inline void pin_settle(void)
{
    __asm__ volatile("nop\n\tnop");
}

#endif
