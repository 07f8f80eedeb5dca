/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Gathers a message for the program's sink while it goes to the console. The buffer is that of the
 * thread whose turn it is. */
#include <lichen/syslog.h>

#include "driver/console/syslog.h"

extern const uint8_t syslog_has_sink;
const uint8_t syslog_has_sink = 0;

static char message[SYSLOG_SINK_MAX];
static size_t length;
static volatile uint16_t missed; /* written by events */
static uint16_t told;            /* of these, how many the sink knows of */

/* A 16-bit count of events may change between the bytes of a reading. */
static uint16_t missed_now(void)
{
    uint16_t seen;
    do {
        seen = missed;
    } while (seen != missed);
    return seen;
}

void syslog_sink_put(char character)
{
    if (character != '\n' && length < sizeof(message)) {
        message[length++] = character;
    }
}

void syslog_sink_end(void)
{
    size_t bytes = length;
    uint16_t now = missed_now();
    uint16_t untold = (uint16_t)(now - told);

    length = 0; /* in time, should the thread be destroyed in the sink */
    told = now;
    syslog_sink(message, bytes, untold);
}

void syslog_sink_miss(void)
{
    missed++;
}
