/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages of interrupts and real-time tasks: the one level that posts counts, and the event prints
 * and says for how many. */
#include <lichen/syslog.h>

#include "driver/console/syslog.h"

/* The poster may come in between: it stores the value before it counts. */
static uint32_t last_value(const struct syslog_rt *message, arch_index_t *posted)
{
    uint32_t value;

    do {
        *posted = message->posted;
        value = message->value;
    } while (*posted != message->posted);
    return value;
}

void syslog_rt_print(struct event *event)
{
    struct syslog_rt *message = (struct syslog_rt *)event;
    arch_index_t posted;
    uint32_t value = last_value(message, &posted);
    unsigned count = (arch_index_t)(posted - message->printed);
    char more[sizeof(", the last of 65535 or more")] = "";

    message->printed = posted;
    if (count > 1) {
        print_into(more, sizeof(more), ", the last of %u%s", count,
                   count == SYSLOG_RT_MAX ? TEXT(" or more") : "");
    }
    syslog_put_for(message->place, count, (unsigned long)value, more);
}
