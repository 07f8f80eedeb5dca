/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The names that os/chip/chip.h asks of a chip, for the SAM R21. */
#ifndef SAMR21_CHIP_IMPL_H
#define SAMR21_CHIP_IMPL_H

#define CHIP_READING_TICKS    6u
#define CHIP_ALARM_LATE_TICKS 24u

/* Frequencies of the processor; it boots with 8 MHz. */
enum chip_clock {
    CHIP_CLOCK_4_MHZ,
    CHIP_CLOCK_8_MHZ,
    CHIP_CLOCK_48_MHZ,
};

/* What it has where programs request it (lichen/clock.h). */
#define CHIP_CLOCK_SLOW CHIP_CLOCK_8_MHZ
#define CHIP_CLOCK_FAST CHIP_CLOCK_48_MHZ

/* The deepest mode in which a serial port continues to send: it runs from a generic clock, not from
 * the APB's. */
#define CHIP_SLEEP_SENDING CHIP_SLEEP_IDLE2

/* The deepest mode in which a conversion goes on: every one, since it requests its clock. */
#define CHIP_SLEEP_CONVERTING CHIP_SLEEP_STANDBY

/* The deepest mode in which the DMA controller moves data: it needs the AHB. */
#define CHIP_SLEEP_MOVING CHIP_SLEEP_IDLE0

/* The deepest mode from which a frame that has come to the radio is read at once. */
#define CHIP_SLEEP_LISTENING CHIP_SLEEP_STANDBY

/* The deepest mode in which the timer of waves counts. */
#define CHIP_SLEEP_WAVES CHIP_SLEEP_IDLE2

/* From SLP_TR on the radio's crystal takes 210 us to oscillate, as a rule (data sheet of the
 * AT86RF233), and 1 ms at most. */
#define CHIP_CALIBRATION_WAKE_US 1000u
#define CHIP_CALIBRATION_US_BITS 24u

/* Bits of a serial port's STATUS. */
#define CHIP_USART_DAMAGED      (1 << 1) /* FERR */
#define CHIP_USART_OVERRUN      (1 << 2) /* BUFOVF */
#define CHIP_USART_WRONG_PARITY (1 << 0) /* PERR */

/* A port receives in every mode. */
#define usart_listen() ((void)0)

#endif
