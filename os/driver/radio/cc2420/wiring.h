/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How a CC2420 is wired. Defined by os/board/<name>. SFD is also the chip's capture input
 * (chip/capture.h). */
#ifndef CC2420_WIRING_H
#define CC2420_WIRING_H

#include <stdint.h>

#include <lichen/arch.h>

#include "driver/radio/part.h"

struct spi_port;

struct cc2420_wiring {
    const ARCH_FLASH struct spi_port *port;
    uint8_t select; /* GPIO_PIN(...) */
    uint8_t reset;
    uint8_t regulator; /* VREG_EN */
    uint8_t fifo;
    uint8_t fifop; /* with a line for gpio_event_on_edge */
    uint8_t cca;
    uint8_t sfd;
};

extern const ARCH_FLASH struct cc2420_wiring cc2420_wiring;

/* What it is: initial value of radio_facts. It looks at the channel (RADIO_IF_CLEAR), but backoff,
 * waiting for acknowledgments and sending again are the work of the layer above. Its
 * acknowledgments never say that there is more: RADIO_PENDING has no effect. It acknowledges frames
 * of version 2 as those before, with or without RADIO_ACKNOWLEDGE_2015. */
#define CC2420_FACTS                                                                               \
    {                                                                                              \
        .capabilities = RADIO_CAN_FILTER | RADIO_CAN_ACKNOWLEDGE | RADIO_CAN_TELL_TIME |           \
                        RADIO_CAN_HOLD | RADIO_CAN_HOLD_APART,                                     \
        .channel_first = 11, .channel_last = 26, .dbm_least = -25, .dbm_most = 0,                  \
        .frame_bytes = 127, .overhead_bytes = 6, .byte_us = 32, .symbol_us = 16,                   \
        .turnaround_us = 192, .told_us = 400, .received_us = 660, .start_us = 440, .rates = 1      \
    }

/* Looks at what is asked for. */
void cc2420_serve(void);

#endif
