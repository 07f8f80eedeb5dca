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

#define RT_TIMER_A TIMER1_COMPA
#define RT_TIMER_B TIMER3_COMPA

/* The processor has cleared the flag when it entered the handler. */
#define CHIP_RT_ACKNOWLEDGE(timer) ((void)(timer))

#define CHIP_ADC_FULL_SCALE 1024u

/* That of the DS2401 which every board of this chip has. */
#define CHIP_SERIAL_NUMBER_BYTES 8

#endif
