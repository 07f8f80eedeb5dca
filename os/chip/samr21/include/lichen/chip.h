/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What public headers need from the SAM R21. Every chip has a header of this name; os/chip/chip.h
 * is its contract and says what each name means.
 */
#ifndef LICHEN_CHIP_H
#define LICHEN_CHIP_H

/* The manifest may fix it: os/lichen.cmake. */
#ifdef LICHEN_CLOCK_FIXED
#define CHIP_CLOCK_CHANGES 0
#else
#define CHIP_CLOCK_CHANGES 1
#endif

#define CHIP_TICK_HZ    32768u
#define CHIP_LATE_TICKS 40u

/* Sleep modes (data sheet, section Sleep Mode Operation): IDLE0 stops the processor, IDLE1 also the
 * AHB, IDLE2 also the APB, STANDBY every clock that was not asked to run through it. */
#define CHIP_SLEEP_IDLE0   0u
#define CHIP_SLEEP_IDLE1   1u
#define CHIP_SLEEP_IDLE2   2u
#define CHIP_SLEEP_STANDBY 3u
#define CHIP_SLEEP_MODES   4u

#define RT_TIMER_A TC3
#define RT_TIMER_B TC4
#define RT_TIMER_C TC5

/* The flag register of the timer: a one clears a flag. */
#define CHIP_RT_ACKNOWLEDGE(timer) ((void)(*(timer) = 0xff))

#define CHIP_ADC_FULL_SCALE 4096u

#define CHIP_SERIAL_NUMBER_BYTES 16

#endif
