/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Slots of a 1-Wire line (DS2401 data sheet, "AC Electrical Characteristics"). Setting a pin takes
 * some 3 us, which the short times contain. */
#include "chip/one_wire.h"

#include <lichen/gpio.h>

/* At 7.3728 MHz. */
#define CYCLES(us) ((us)*7373ul / 1000)

enum {
    RESET_US = 500,       /* at least 480 */
    PRESENCE_US = 70,     /* the part answers after 15 to 60, for 60 to 240 */
    AFTER_RESET_US = 430, /* at least 480 from the end of the reset */
    ZERO_US = 65,         /* 60 to 120 */
    SAMPLE_US = 4,        /* together with the pin's times less than 15 */
    SLOT_US = 65,         /* at least 60 */
    RECOVERY_US = 5,      /* at least 1 */
};

static void release(uint8_t pin)
{
    gpio_input(pin, GPIO_PULL_UP);
}

int one_wire_reset(uint8_t pin)
{
    gpio_output(pin, 0);
    __builtin_avr_delay_cycles(CYCLES(RESET_US));
    release(pin);
    __builtin_avr_delay_cycles(CYCLES(PRESENCE_US));
    bool answers = !gpio_read(pin);
    __builtin_avr_delay_cycles(CYCLES(AFTER_RESET_US));
    if (!gpio_read(pin)) {
        return ERR_IO;
    }
    return answers ? 0 : ERR_EMPTY;
}

void one_wire_write(uint8_t pin, bool bit)
{
    gpio_output(pin, 0);
    if (bit) {
        release(pin);
    }
    __builtin_avr_delay_cycles(CYCLES(ZERO_US));
    release(pin);
    __builtin_avr_delay_cycles(CYCLES(RECOVERY_US));
}

bool one_wire_read(uint8_t pin)
{
    gpio_output(pin, 0);
    release(pin);
    __builtin_avr_delay_cycles(CYCLES(SAMPLE_US));
    bool bit = gpio_read(pin);
    __builtin_avr_delay_cycles(CYCLES(SLOT_US));
    return bit;
}
