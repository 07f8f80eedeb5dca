/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How a CC1000 is wired. Defined by os/board/<name>, which also gives the interrupt of the SPI
 * slave (chip/spi_slave.h), to which DCLK and DIO lead, to `cc1000_byte`. */
#ifndef CC1000_WIRING_H
#define CC1000_WIRING_H

#include <stdint.h>

#include <lichen/arch.h>

#include "driver/radio/part.h"

/* Where the voltage of RSSI is measured: GPIO_PIN(...). */
extern const ARCH_FLASH uint8_t cc1000_rssi_pin;

/* Accesses to its registers, by the three wires of the configuration interface. They are opened
 * before each start of the part, which may have been without power: a clock while PALE is high
 * belongs to no access. */
void cc1000_wires_open(void);
void cc1000_write(uint8_t address, uint8_t value);
uint8_t cc1000_read(uint8_t address);

/* Defines them for pins of the ports A to E of an ATmega128, whose wiring.h must be included, too.
 * PALE is low during the address. The part takes PDATA at falling edges of PCLK, and sets it at
 * them when it is read (data sheet, "3-wire Serial Configuration Interface"). A write takes some
 * 170 cycles, and is not a loop for that; interrupts may come within it. */
#define CC1000_WIRES(pale, pclk, pdata)                                                            \
    void cc1000_wires_open(void)                                                                   \
    {                                                                                              \
        pin_output(pale, 1);                                                                       \
        pin_output(pclk, 1);                                                                       \
        pin_output(pdata, 1);                                                                      \
        pin_drive(pclk, 0);                                                                        \
        pin_drive(pclk, 1);                                                                        \
    }                                                                                              \
    static inline __attribute__((always_inline)) void cc1000_send_bit(bool bit)                    \
    {                                                                                              \
        pin_drive(pdata, bit);                                                                     \
        pin_drive(pclk, 0);                                                                        \
        pin_drive(pclk, 1);                                                                        \
    }                                                                                              \
    static void cc1000_send(uint8_t byte)                                                          \
    {                                                                                              \
        cc1000_send_bit(byte & 0x80);                                                              \
        cc1000_send_bit(byte & 0x40);                                                              \
        cc1000_send_bit(byte & 0x20);                                                              \
        cc1000_send_bit(byte & 0x10);                                                              \
        cc1000_send_bit(byte & 0x08);                                                              \
        cc1000_send_bit(byte & 0x04);                                                              \
        cc1000_send_bit(byte & 0x02);                                                              \
        cc1000_send_bit(byte & 0x01);                                                              \
    }                                                                                              \
    void cc1000_write(uint8_t address, uint8_t value)                                              \
    {                                                                                              \
        pin_drive(pale, 0);                                                                        \
        cc1000_send((uint8_t)(address << 1 | 1));                                                  \
        pin_drive(pale, 1);                                                                        \
        cc1000_send(value);                                                                        \
    }                                                                                              \
    uint8_t cc1000_read(uint8_t address)                                                           \
    {                                                                                              \
        uint8_t value = 0;                                                                         \
        pin_drive(pale, 0);                                                                        \
        cc1000_send((uint8_t)(address << 1));                                                      \
        pin_input(pdata);                                                                          \
        pin_drive(pale, 1);                                                                        \
        for (uint8_t bit = 0x80; bit != 0; bit >>= 1) {                                            \
            pin_drive(pclk, 0);                                                                    \
            pin_settle();                                                                          \
            if (pin_read(pdata)) {                                                                 \
                value |= bit;                                                                      \
            }                                                                                      \
            pin_drive(pclk, 1);                                                                    \
        }                                                                                          \
        pin_output(pdata, 1);                                                                      \
        return value;                                                                              \
    }

/* What it is: initial value of radio_facts. Channels 1 to 3 are at 433.002, 434.845 and 914.077
 * MHz: a part is made for the first two, or for the last one. Rates are 19.2 and 38.4 kbit/s. With
 * RADIO_CSMA, a backoff is a random number of units of 8 bytes, and the channel is looked at after
 * it.
 *
 * A frame is that of TinyOS's active messages. Its first 7 bytes are a header, whose fifth byte is
 * the number of bytes behind the header: a frame that says otherwise is not sent (ERR_INVALID).
 * With RADIO_FILTER, the short address and the lower byte of the PAN, the group, are looked at.
 * Each frame to a single mote asks for an acknowledgment, which is a word of its own after it, not
 * a frame. */
#define CC1000_FACTS                                                                               \
    {                                                                                              \
        .capabilities = RADIO_CAN_FILTER | RADIO_CAN_ACKNOWLEDGE | RADIO_CAN_CSMA |                \
                        RADIO_CAN_RETRY | RADIO_CAN_RATES,                                         \
        .channel_first = 1, .channel_last = 3, .dbm_least = -20, .dbm_most = 10,                   \
        .frame_bytes = 127, .overhead_bytes = 8, .byte_us = 417, .symbol_us = 208,                 \
        .turnaround_us = 1250, .rates = 2                                                          \
    }

/* Serves the interrupt of a byte. */
void cc1000_byte(void);

/* Looks at what is asked for. */
void cc1000_serve(void);

#endif
