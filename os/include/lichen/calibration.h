/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Time as exact as the radio's crystal, on boards whose slow clock has no crystal of its own.
 *
 *     [build]
 *     tick = "calibrated"
 *
 * in the program's manifest is all that is needed. The oscillator of the SAM R21 that runs through
 * every sleep is up to 4.5 % fast or slow, 65 minutes a day, and follows temperature and supply. So
 * the kernel counts the radio's crystal while that oscillator makes 8,192 counts, at start-up and
 * every CALIBRATION_PERIOD_S, and takes the length of a count from there on as measured. The clock
 * does not jump: it continues from where it is, at another rate. Pending deadlines are adjusted.
 *
 * Right after a calibration the clock's error is that of the crystal (20 ppm, or what the board
 * has) and 8 ppm of measurement; drift with temperature and supply since then is added. Before the
 * first one, which ends 0.3 s after start-up, it is the oscillator's.
 *
 * A calibration fails if the crystal does not run, if events delay it for more than a second, or if
 * no alarm is ever more than 0.5 ms ahead, since for those the chip polls its counter instead of
 * waiting for a match. It is retried after CALIBRATION_RETRY_S; with each failure in a row that
 * time doubles, up to CALIBRATION_PERIOD_S.
 *
 * A calibration takes 0.26 s, in which the radio's crystal draws 0.3 mA and the processor sleeps:
 * 84 uC, 0.14 uA on the average [bench hamilton]. It takes 2.7 to 3.2 KiB of flash, and TCC1, so
 * PWM (lichen/pwm.h) is not available.
 */
#ifndef LICHEN_CALIBRATION_H
#define LICHEN_CALIBRATION_H

#include <stdint.h>

#include <lichen/error.h>

/* From the end of one calibration to the beginning of the next, in seconds. */
#define CALIBRATION_PERIOD_S 600u

/* The same after one that has failed, if the one before has not. */
#define CALIBRATION_RETRY_S 10u

/* Calibrates now, as a program may wish when the temperature has changed. The result is in force
 * 0.3 s later.
 * returns   0, or ERR_BUSY if a calibration is under way
 * context   event, thread, coop
 * blocks    no
 */
int calibration_request(void);

/* The last calibration. */
struct calibration {
    int32_t ppm;     /* how much too slow the oscillator is; negative if it is fast */
    uint32_t count;  /* calibrations since start-up; 0 if none has succeeded yet */
    uint32_t failed; /* attempts that have failed, as above, or because two halves of the
                        measurement disagreed by more than CALIBRATION_SPREAD_PPM */
};

/* How much two halves of a measurement may differ: what their resolution allows. */
#define CALIBRATION_SPREAD_PPM 24

/* What is known of the oscillator.
 * context   event, thread, coop
 * blocks    no
 */
void calibration_last(struct calibration *last);

#endif
