/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages to the console.
 *
 * A thread's message is sent as print sends its text. An event's is put into the ring behind what
 * is there, and committed if all of it has fitted: nothing else puts bytes into the ring meanwhile,
 * since that happens at the kernel level only. So no part of a message is ever sent alone, and the
 * count of dropped ones is that of whole messages.
 *
 * The count is reported by a timer: nothing else is sure to come after the last one dropped.
 */
#include <lichen/syslog.h>

#include <stdarg.h>
#include <stdbool.h>

#include <lichen/time.h>
#include <lichen/timer.h>

#include "driver/console/format.h"
#include "driver/console/output.h"
#include "driver/console/syslog.h"

SYSLOG_MODULE(syslog, LOG_DEBUG);

enum {
    REPORT_AFTER_MS = 50, /* a full ring is empty by then, at 38,400 baud and more */
};

static volatile uint16_t syslog_lost; /* written at the kernel level */
static uint16_t reported;             /* of these */

EVENT_EXTERN(syslog_report);
static TIMER(report_timer, syslog_report);

static void put(struct format_sink *sink, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    format_text(sink, format, arguments);
    va_end(arguments);
}

static void compose(struct format_sink *sink, const ARCH_FLASH struct syslog_place *place,
                    va_list arguments)
{
    struct time_moment now;

    time_known(&now);
    put(sink, ARCH_TEXT("[%lu.%06lu] %s: %s: "), (unsigned long)now.s, (unsigned long)now.us,
        place->module, syslog_level_text(place->level));
    format_text(sink, place->format, arguments);
    put(sink, ARCH_TEXT("\n"));
}

/* ---------------------------------------------------------------- threads */
static void put_to_both(struct format_sink *sink, char character)
{
    console_sink_put(sink, character);
    if (syslog_sink_put != 0) {
        syslog_sink_put(character);
    }
}

/* Its stack is free again when the sink is called. */
static __attribute__((noinline)) void send(const ARCH_FLASH struct syslog_place *place,
                                           va_list arguments)
{
    struct console_sink console = {.sink = {put_to_both}, .length = 0};

    compose(&console.sink, place, arguments);
    console_sink_flush(&console);
}

/* ---------------------------------------------------------------- events */
struct ring_sink {
    struct format_sink sink;
    uint8_t length;
    bool fits;
};

static void stage(struct ring_sink *ring, char character)
{
    ring->fits = ring->fits && console_stage(ring->length, (uint8_t)character);
    ring->length += ring->fits;
}

static void put_to_ring(struct format_sink *sink, char character)
{
    struct ring_sink *ring = (struct ring_sink *)sink;

    if (character == '\n') {
        stage(ring, '\r');
    }
    stage(ring, character);
}

static bool send_whole(const ARCH_FLASH struct syslog_place *place, va_list arguments)
{
    struct ring_sink ring = {.sink = {put_to_ring}, .length = 0, .fits = true};

    compose(&ring.sink, place, arguments);
    if (ring.fits) {
        console_commit(ring.length);
    }
    return ring.fits;
}

/* If the timer is armed already, that report will contain all. */
static void report_later(void)
{
    int error = timer_arm_after(&report_timer, REPORT_AFTER_MS * TIME_US_PER_MS);

    (void)error;
}

static void drop(unsigned count)
{
    syslog_lost = (uint16_t)(syslog_lost + count);
    report_later();
}

static bool try(const ARCH_FLASH struct syslog_place *place, ...)
{
    va_list arguments;

    va_start(arguments, place);
    bool sent = send_whole(place, arguments);
    va_end(arguments);
    return sent;
}

EVENT(syslog_report)
{
    uint16_t unreported = (uint16_t)(syslog_lost - reported);

    if (try(SYSLOG_PLACE(LOG_WARNING, "%u messages dropped"), unreported)) {
        reported = syslog_lost;
    } else {
        report_later();
    }
}

static void put_of_event(const ARCH_FLASH struct syslog_place *place, unsigned count,
                         va_list arguments)
{
    if (syslog_sink_miss != 0) {
        syslog_sink_miss();
    }
    if (!send_whole(place, arguments)) {
        drop(count);
    }
}

void syslog_put_for(const ARCH_FLASH struct syslog_place *place, unsigned count, ...)
{
    va_list arguments;

    va_start(arguments, count);
    put_of_event(place, count, arguments);
    va_end(arguments);
}

/* ---------------------------------------------------------------- both */
void syslog_put(const ARCH_FLASH struct syslog_place *place, ...)
{
    va_list arguments;

    va_start(arguments, place);
    if (arch_in_thread()) {
        console_claim();
        send(place, arguments);
        if (syslog_sink_end != 0) {
            syslog_sink_end();
        }
        console_release();
    } else {
        put_of_event(place, 1, arguments);
    }
    va_end(arguments);
}

/* An event may count between the bytes of a reading. */
uint16_t syslog_dropped(void)
{
    uint16_t seen;

    do {
        seen = syslog_lost;
    } while (seen != syslog_lost);
    return seen;
}
