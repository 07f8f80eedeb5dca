/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "alarms.h"

#include <lichen/alarm.h>

#include "calls.h"
#include "objects.h"

/* One for each of the first events. */
EVENT_EXTERN(event_0);
EVENT_EXTERN(event_1);
EVENT_EXTERN(event_2);
EVENT_EXTERN(event_3);
static ALARM(alarm_0, event_0);
static ALARM(alarm_1, event_1);
static ALARM(alarm_2, event_2);
static ALARM(alarm_3, event_3);
static struct alarm *const alarms[] = {&alarm_0, &alarm_1, &alarm_2, &alarm_3};

int alarms_call(const struct command *command)
{
    struct alarm *alarm = alarms[command->object];
    return command->call == CALL_ALARM_SET ? alarm_set(alarm, command->value) : alarm_cancel(alarm);
}

void alarms_sleep(uint32_t us)
{
    sleep_exact_us(us);
}
