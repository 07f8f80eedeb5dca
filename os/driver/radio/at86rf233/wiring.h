/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How an AT86RF233 is wired. Defined by os/board/<name>, which also gives the interrupts of its SPI
 * port to `at86rf233_interrupt`. The line of its interrupt request is the chip's
 * (chip/radio_line.h). */
#ifndef AT86RF233_WIRING_H
#define AT86RF233_WIRING_H

#include <stdint.h>

#include <lichen/arch.h>

#include "driver/radio/part.h"

struct spi_port;

struct at86rf233_wiring {
    const ARCH_FLASH struct spi_port *port;
    uint8_t select; /* GPIO_PIN(...) */
    uint8_t reset;
    uint8_t sleep; /* SLP_TR */
};

extern const ARCH_FLASH struct at86rf233_wiring at86rf233_wiring;

/* What it is: initial value of radio_facts. The first rate is 250 kbit/s, and rates 1 to 3 are 500,
 * 1000 and 2000 kbit/s. */
#define AT86RF233_FACTS                                                                            \
    {                                                                                              \
        .capabilities = RADIO_CAN_FILTER | RADIO_CAN_ACKNOWLEDGE | RADIO_CAN_CSMA |                \
                        RADIO_CAN_RETRY | RADIO_CAN_TELL_TIME | RADIO_CAN_RATES |                  \
                        RADIO_CAN_ANNOUNCE | RADIO_CAN_HOLD,                                       \
        .channel_first = 11, .channel_last = 26, .dbm_least = -17, .dbm_most = 4,                  \
        .frame_bytes = 127, .overhead_bytes = 6, .byte_us = 32, .symbol_us = 16,                   \
        .turnaround_us = 192, .told_us = 280, .start_us = 220, .rates = 4                          \
    }

/* Serves an interrupt of the port. */
void at86rf233_interrupt(void);

/* Looks at what is asked for. */
void at86rf233_serve(void);

#endif
