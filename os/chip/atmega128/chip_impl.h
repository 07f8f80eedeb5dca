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

/* Sleep modes (data sheet, Power Management and Sleep Modes): IDLE stops the processor and flash,
 * EXTENDED_STANDBY all but the main crystal and timer 0, POWER_SAVE the main crystal too. The other
 * modes stop timer 0, the only clock that the kernel has in sleep. */
#define CHIP_SLEEP_IDLE             0u
#define CHIP_SLEEP_EXTENDED_STANDBY 1u
#define CHIP_SLEEP_POWER_SAVE       2u
#define CHIP_SLEEP_MODES            3u

/* The deepest mode in which a serial port continues to send. */
#define CHIP_SLEEP_SENDING CHIP_SLEEP_IDLE

/* A port receives in idle mode only (listen.c). */
void usart_listen(void);

#endif
