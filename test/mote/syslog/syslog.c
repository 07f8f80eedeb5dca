/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages, as the program's sink gets them, and what threads, events and interrupts may write. */
#include <lichen/console.h>
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/semaphore.h>
#include <lichen/syslog.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include <string.h>

#include "software_interrupt.h"
#include "test.h"

SYSLOG_MODULE_ADJUSTABLE(tested, LOG_INFO, LOG_NOTICE);

static char last[SYSLOG_SINK_MAX + 1];
static unsigned messages;
static unsigned of_events;

SYSLOG_SINK(text, length, missed)
{
    of_events += missed;
    memcpy(last, text, length);
    last[length] = '\0';
    messages++;
}

/* The text behind the time. */
static const char *behind_time(void)
{
    const char *end = strchr(last, ']');

    return end != 0 ? end + 1 : last;
}

TEST(a_message_has_time_module_level_and_text)
{
    syslog(LOG_WARNING, "retry %u of %s", 3u, TEXT("five"));
    expect_equal(messages, 1);
    expect(same_text(behind_time(), " tested: warning: retry 3 of five"));
    expect(last[0] == '[');
}

static unsigned evaluated;

static unsigned evaluate(void)
{
    return ++evaluated;
}

TEST(a_level_beyond_the_present_one_is_not_written)
{
    unsigned before = messages;

    syslog(LOG_INFO, "%u", evaluate());
    expect_equal(evaluated, 0);
    expect_equal(messages, before);
    expect_equal(syslog_adjust("tested", LOG_INFO), 0);
    syslog(LOG_INFO, "%u", evaluate());
    expect_equal(evaluated, 1);
    expect_equal(messages, before + 1);
    expect_equal(syslog_adjust("tested", LOG_NONE), 0);
    syslog(LOG_EMERG, "%u", evaluate());
    expect_equal(evaluated, 1);
    expect_equal(messages, before + 1);
}

TEST(only_what_is_in_the_image_can_be_chosen)
{
    expect_equal(syslog_adjust("tested", LOG_DEBUG), ERR_INVALID);
    expect_equal(syslog_adjust("tested", LOG_NONE - 1), ERR_INVALID);
    expect_equal(syslog_adjust("teste", LOG_INFO), ERR_EMPTY);
    expect_equal(syslog_adjust("testedx", LOG_INFO), ERR_EMPTY);
    expect_equal(syslog_adjust(TEXT("tested"), LOG_NOTICE), 0);
    syslog(LOG_DEBUG, "%u", evaluate());
    expect_equal(evaluated, 1);
    expect(same_text(syslog_module_at(0)->name, "tested"));
    expect(syslog_module_at(1) == 0);
}

TEST(a_long_message_is_cut_in_the_sink)
{
    static char text[SYSLOG_SINK_MAX + 20];

    memset(text, 'x', sizeof(text) - 1);
    syslog(LOG_ERR, "%s", text);
    expect_equal(strlen(last), SYSLOG_SINK_MAX);
}

/* The moment of the last message. */
static uint64_t stamp_us(void)
{
    uint64_t s = 0;
    uint64_t us = 0;
    const char *at = last + 1;

    for (; *at != '.'; at++) {
        s = s * 10 + (unsigned)(*at - '0');
    }
    for (at++; *at != ']'; at++) {
        us = us * 10 + (unsigned)(*at - '0');
    }
    return s * TIME_US_PER_S + us;
}

#define TICK_US (1 + TIME_US_PER_S / CHIP_TICK_HZ)

TEST(a_time_is_exact_when_an_alarm_woke_the_mote)
{
    for (unsigned i = 0; i < 10; i++) {
        uint64_t due = time_now_us() + (TIME_US_PER_S + 12345 * i);

        sleep_until_us(due);
        syslog(LOG_ERR, "alarm");
        uint64_t now = time_now_us();
        expect(stamp_us() >= due);
        expect(stamp_us() <= now);
        expect(stamp_us() - due <= TIME_LATE_TICKS * TICK_US);
    }
}

TEST(a_time_is_never_later_than_the_present_nor_before_the_last)
{
    uint64_t before = 0;

    for (unsigned i = 0; i < 100; i++) {
        syslog(LOG_ERR, "often");
        uint64_t now = time_now_us();
        expect(stamp_us() <= now);
        expect(stamp_us() >= before);
        before = stamp_us();
    }
}

EVENT(speaks)
{
    syslog(LOG_NOTICE, "an event");
}

TEST(a_message_of_an_event_is_counted_for_the_sink)
{
    unsigned before = messages;

    sleep_ms(50);
    event_post(&speaks);
    expect_equal(messages, before);
    expect_equal(syslog_dropped(), 0);
    syslog(LOG_NOTICE, "a thread");
    expect_equal(messages, before + 1);
    expect_equal(of_events, 1);
    event_post(&speaks);
    event_post(&speaks);
    syslog(LOG_NOTICE, "a thread");
    expect_equal(of_events, 3);
}

/* A post of a level that has not been printed is counted in the next line. */
SYSLOG_RT(noticed, LOG_NOTICE, "noticed");
SYSLOG_RT(not_noticed, LOG_DEBUG, "left out");

static volatile unsigned posts = 1;

SOFTWARE_INTERRUPT(1)
{
    for (unsigned i = 0; i < posts; i++) {
        syslog_post_from(noticed, 100 + i, LEVEL_DRIVER);
        syslog_post_from(not_noticed, 1, LEVEL_DRIVER);
    }
}

TEST(an_interrupt_posts_a_message_with_a_number)
{
    unsigned before = of_events;

    sleep_ms(50);
    software_interrupts_enable();
    software_interrupts(1u << 1);
    posts = 3;
    software_interrupts(1u << 1);
    posts = 1000;
    software_interrupts(1u << 1);
    sleep_ms(50);
    syslog(LOG_NOTICE, "a thread");
    expect_equal(of_events - before, 3);
}

enum { FLOOD = 20 };

static void flood(void)
{
    for (unsigned i = 0; i < FLOOD; i++) {
        syslog(LOG_NOTICE, "flood %u", i);
    }
}

EVENT(floods)
{
    flood();
}

static uint16_t dropped_before_posts;

EVENT(floods_and_posts)
{
    flood();
    dropped_before_posts = syslog_dropped();
    posts = 5;
    software_interrupts(1u << 1);
}

/* At least three fit into the ring. Others fit when earlier ones have been sent. No byte of a
 * message is dropped alone. */
TEST(what_an_event_drops_is_counted_and_reported)
{
    uint32_t lost = console_lost();

    sleep_ms(50);
    event_post(&floods);
    expect(syslog_dropped() > 0);
    expect(syslog_dropped() <= FLOOD - 3);
    sleep_ms(150);
    expect_equal(console_lost(), lost);
}

/* A message stands for all posts since the last one. */
TEST(posts_whose_message_is_dropped_are_all_counted)
{
    software_interrupts_enable();
    event_post(&floods_and_posts);
    expect_equal((uint16_t)(syslog_dropped() - dropped_before_posts), 5);
    sleep_ms(150);
}
