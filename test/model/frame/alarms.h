/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Alarms in microseconds that do what the host tells them, in programs with room for them. */
#ifndef TEST_MODEL_FRAME_ALARMS_H
#define TEST_MODEL_FRAME_ALARMS_H

#include "model.h"

/* The calls on them.
 * context   event, thread
 */
int alarms_call(const struct command *command);

/* An exact sleep.
 * context   thread
 */
void alarms_sleep(uint32_t us);

#endif
