/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Alarms at the kernel level. */
#ifndef KERNEL_TIME_ALARM_H
#define KERNEL_TIME_ALARM_H

#include <lichen/alarm.h>

/* What alarm_set does, of an alarm that is not set.
 * us        at most ALARM_MAX_US
 * context   event
 */
void alarm_begin(struct alarm *alarm, uint16_t us);

/* alarm_cancel.
 * context   event
 */
int alarm_end(void *alarm);

#endif
