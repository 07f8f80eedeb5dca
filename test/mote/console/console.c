/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The console with characters that are typed at set times (input.txt), and with floods of output.
 */
#include <lichen/console.h>
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/panic.h>
#include <lichen/print.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include <string.h>

#include "compute.h"
#include "micro_clock.h"
#include "software_interrupt.h"
#include "test.h"

static char line[16];

static void expect_line(const char *wanted)
{
    size_t length = console_read_line(line, sizeof(line));

    expect_equal(length, strlen(wanted));
    expect(strcmp(line, wanted) == 0);
}

TEST(nothing_typed_is_a_timeout)
{
    uint8_t byte;
    uint64_t start = time_now_us();

    expect_equal(console_read_until(&byte, start + 100 * TIME_US_PER_MS), ERR_TIMEOUT);
    expect(time_now_us() - start >= 100 * TIME_US_PER_MS);
}

/* Typed at 0.5 s, in standby: the first character, too, arrives whole. */
TEST(a_line_ends_with_line_feed)
{
    expect_line("alpha");
}

TEST(a_line_ends_with_carriage_return)
{
    expect_line("beta");
}

TEST(both_ends_together_are_one)
{
    expect_line("gamma");
    expect_line("delta");
}

TEST(an_empty_line_is_a_line)
{
    expect_line("");
}

TEST(backspace_takes_back)
{
    expect_line("mote");
}

TEST(backspace_at_the_start_takes_nothing)
{
    expect_line("ab");
}

TEST(a_line_too_long_is_cut)
{
    expect_line("abcdefghijklmno");
    expect_line("next");
}

TEST(a_burst_at_line_rate_arrives_whole)
{
    for (unsigned i = 0; i < 100; i++) {
        expect_equal(console_read(), '0' + i % 10);
    }
    expect_line("");
    expect_equal(console_lost(), 0);
}

TEST(a_flood_is_lost_only_beyond_the_ring_and_counted)
{
    uint8_t byte;
    unsigned received = 0;

    sleep_until_us(8 * TIME_US_PER_S);
    while (console_read_until(&byte, 0) == 0) {
        received++;
    }
    expect_equal(received, CONSOLE_RECEIVE_RING);
    expect_equal(console_lost(), 200 - CONSOLE_RECEIVE_RING);
}

/* A text longer than the ring: the thread has to wait for room, and nothing is lost. */
TEST(a_long_text_waits_for_room)
{
    static char text[3 * CONSOLE_SEND_RING];
    uint32_t lost = console_lost();
    uint64_t start = time_now_us();

    memset(text, '-', sizeof(text));
    text[sizeof(text) - 2] = '\r';
    text[sizeof(text) - 1] = '\n';
    console_write(text, sizeof(text));
    expect_equal(console_lost(), lost);
    /* 10 bits per byte at 115,200 baud, or less; the content of the last ring is still being sent.
     */
    expect(time_now_us() - start >= 2 * CONSOLE_SEND_RING * 86);
}

static SEMAPHORE(go, 0);
static SEMAPHORE(done, 0);

THREAD(second_writer, LARGE_STACK, PRIORITY_HIGH)
{
    for (;;) {
        semaphore_wait(&go);
        print("second\n");
        semaphore_post(&done);
    }
}

/* Three rings' worth, which takes 33 ms to send, or longer. */
#define FLOOD_LINES (3 * CONSOLE_SEND_RING / sizeof("event\n"))

static uint32_t lost_in_event;
static uint32_t us_in_event;

EVENT(speaks)
{
    uint32_t lost = console_lost();
    uint64_t start = time_now_us();

    for (unsigned i = 0; i < FLOOD_LINES; i++) {
        print("event\n");
    }
    lost_in_event = console_lost() - lost;
    us_in_event = (uint32_t)(time_now_us() - start);
    semaphore_post(&done);
}

TEST(a_more_urgent_writer_waits_for_its_turn)
{
    semaphore_post(&go);
    print("first, and long enough to need more than one piece of the formatter\n");
    semaphore_wait(&done);
}

TEST(an_event_does_not_wait_and_loses_what_does_not_fit)
{
    sleep_ms(50);
    event_post(&speaks);
    semaphore_wait(&done);
    expect(lost_in_event > 0);
    expect(us_in_event < 25 * TIME_US_PER_MS);
    sleep_ms(50);
    print("\n");
}

static char long_text[3 * CONSOLE_SEND_RING];

THREAD_STOPPED(destroyed_writer, LARGE_STACK, PRIORITY_HIGH)
{
    memset(long_text, '.', sizeof(long_text));
    console_write(long_text, sizeof(long_text));
}

TEST(a_destroyed_writer_lets_others_write)
{
    uint32_t lost = console_lost();

    expect_equal(thread_start(&destroyed_writer, 0), 0);
    expect_equal(destroyed_writer.state, THREAD_WAITING);
    thread_destroy(&destroyed_writer);
    print("\nstill here\n");
    expect_equal(console_lost(), lost);
    sleep_ms(50);
}

THREAD_STOPPED(destroyed_reader, LARGE_STACK, PRIORITY_HIGH)
{
    (void)console_read();
}

TEST(a_destroyed_reader_takes_no_byte)
{
    uint8_t byte;

    expect_equal(thread_start(&destroyed_reader, 0), 0);
    thread_destroy(&destroyed_reader);
    sleep_until_us(9500 * TIME_US_PER_MS);
    expect_equal(console_read_until(&byte, 0), 0);
    expect_equal(byte, '!');
}

/* Blocks the console's interrupt for 100 ms. The port can hold three bytes. */
SOFTWARE_INTERRUPT(1)
{
    compute_us(100000);
}

/* Twelve bytes come in 2 ms at most. The port cannot say how many it lost. */
TEST(what_the_port_loses_is_counted)
{
    uint8_t byte;
    unsigned received = 0;
    uint32_t lost = console_lost();

    software_interrupts_enable();
    sleep_until_us(12070 * TIME_US_PER_MS);
    software_interrupts(1u << 1);
    while (console_read_until(&byte, time_now_us() + 10 * TIME_US_PER_MS) == 0) {
        received++;
    }
    expect(received < 12);
    expect_equal(console_lost(), lost + 1);
}

/* A record that a program writes is sent like all text: it waits its turn in the ring, and does not
 * keep others from the processor. */
static volatile bool record_written;
static volatile uint32_t rounds_meanwhile;

THREAD_STOPPED(less_urgent, SMALL_STACK, PRIORITY_LOW)
{
    while (!record_written) {
        rounds_meanwhile++;
    }
}

static const struct panic_record record = {.reason = PANIC_ASSERT};

TEST(a_record_is_written_as_other_text_is)
{
    expect_equal(thread_start(&less_urgent, 0), 0);
    memset(long_text, '.', sizeof(long_text));
    console_write(long_text, sizeof(long_text));
    uint32_t before = rounds_meanwhile;
    panic_print(&record);
    expect(rounds_meanwhile - before > 1000);
    record_written = true;
    thread_join(&less_urgent);
}

EVENT(writes_record)
{
    uint64_t start = time_now_us();
    panic_print(&record);
    us_in_event = (uint32_t)(time_now_us() - start);
}

TEST(a_record_written_in_an_event_does_not_wait)
{
    event_post(&writes_record);
    expect(us_in_event < 12000); /* sending it takes 20 ms */
    sleep_ms(50);
    print("\n"); /* that of the record did not fit */
}

static uint32_t us_to_send(size_t bytes)
{
    uint16_t start = micro_now();
    console_write(long_text, bytes);
    console_drain();
    return micro_us(start, micro_now());
}

/* At 115,200 baud; some boards are slower. */
TEST(draining_waits_for_the_last_stop_bit)
{
    micro_start();
    console_drain();
    expect(us_to_send(100) >= 8680);
    expect(us_to_send(2) >= 173); /* none of them is in the ring any more */
    expect(us_to_send(0) < 170);
    print("\n");
}
