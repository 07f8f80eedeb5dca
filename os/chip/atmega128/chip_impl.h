/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The names that os/chip/chip.h asks of a chip, for the ATmega128. */
#ifndef ATMEGA128_CHIP_IMPL_H
#define ATMEGA128_CHIP_IMPL_H

#define CHIP_READING_TICKS    2u
#define CHIP_ALARM_LATE_TICKS 2u

/* Frequencies of the processor: that of the board's crystal. */
enum chip_clock {
    CHIP_CLOCK_CRYSTAL,
};

/* Requests change nothing. */
#define CHIP_CLOCK_SLOW CHIP_CLOCK_CRYSTAL
#define CHIP_CLOCK_FAST CHIP_CLOCK_CRYSTAL

/* The deepest mode in which a serial port continues to send. */
#define CHIP_SLEEP_SENDING CHIP_SLEEP_IDLE

/* The deepest mode in which a conversion goes on. */
#define CHIP_SLEEP_CONVERTING CHIP_SLEEP_ADC_NOISE_REDUCTION

/* The deepest mode in which buses move bytes. */
#define CHIP_SLEEP_MOVING CHIP_SLEEP_IDLE

/* The deepest mode in which the main crystal runs, so that a frame that has come is read at once.
 */
#define CHIP_SLEEP_LISTENING CHIP_SLEEP_EXTENDED_STANDBY

/* The deepest mode in which the timer of waves counts. */
#define CHIP_SLEEP_WAVES CHIP_SLEEP_IDLE

/* Bits of a serial port's UCSRnA. */
#define CHIP_USART_DAMAGED      (1 << 4) /* FE */
#define CHIP_USART_OVERRUN      (1 << 3) /* DOR */
#define CHIP_USART_WRONG_PARITY (1 << 2) /* UPE */

/* A port receives in idle mode only (listen.c). */
void usart_listen(void);

#endif
