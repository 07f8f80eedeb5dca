/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What public headers need from the ATmega128. Every chip has a header of this name; os/chip/chip.h
 * is its contract and says what each name means.
 */
#ifndef LICHEN_CHIP_H
#define LICHEN_CHIP_H

#define CHIP_CLOCK_CHANGES 0

/* The 32,768 Hz crystal, divided by 32: doc/decisions/0015-the-tick-of-an-eight-bit-timer.md. */
#define CHIP_TICK_HZ    1024u
#define CHIP_LATE_TICKS 4u

/* Sleep modes (data sheet, Power Management and Sleep Modes): IDLE stops the processor and flash,
 * ADC_NOISE_REDUCTION all but the analog converter, the main crystal and timer 0, EXTENDED_STANDBY
 * the converter too, POWER_SAVE also the main crystal. The other modes stop timer 0, the only clock
 * that the kernel has in sleep. */
#define CHIP_SLEEP_IDLE                0u
#define CHIP_SLEEP_ADC_NOISE_REDUCTION 1u
#define CHIP_SLEEP_EXTENDED_STANDBY    2u
#define CHIP_SLEEP_POWER_SAVE          3u
#define CHIP_SLEEP_MODES               4u

/* Timer 1 is that of the radio's times and of alarms: capture.c, counter.c. */
#define RT_TIMER_A TIMER3_COMPA
#define RT_TIMER_B TIMER1_COMPA

/* The processor has cleared the flag when it entered the handler. */
#define CHIP_RT_ACKNOWLEDGE(timer) ((void)(timer))

#define CHIP_ADC_FULL_SCALE 1024u

/* That of the DS2401 which every board of this chip has. */
#define CHIP_SERIAL_NUMBER_BYTES 8

#endif
