/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RADIO_OF_CHIP_H
#define RADIO_OF_CHIP_H

#include <lichen/power.h>

/* The mode in which the mote sleeps while the radio listens. */
#define SLEEP_LISTENING CHIP_SLEEP_IDLE

/* Error of a reading of the clock, which has ticks. */
#define TIME_ERROR_US 1000

/* A transfer is ready to be sent within CANCELS such steps, by a radio that listens or not. */
#define CANCEL_STEP_US 35
#define CANCEL_LISTENS false

#endif
