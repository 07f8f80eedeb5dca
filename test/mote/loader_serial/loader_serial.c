/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Requests of the host to a loader that is played, in frames that come at set times (input.txt).
 *
 * What the mote answers is in tests of the host's end, with a simulated mote.
 */
#include <lichen/console.h>
#include <lichen/loader_serial.h>
#include <lichen/time.h>

#include <string.h>

#include "load/error.h"
#include "played_loader.h"
#include "test.h"

LOADER(PRIORITY_APP + 1);
LOADER_SERIAL("played");

static char line[16];

static void expect_line(const char *wanted)
{
    expect_equal(console_read_line(line, sizeof(line)), strlen(wanted));
    expect(strcmp(line, wanted) == 0);
}

/* Its line begins before the frame and ends behind it. */
TEST(a_frame_within_a_line_does_not_part_it)
{
    expect_line("alpha");
}

TEST(an_installation_arrives_once_though_all_is_repeated)
{
    sleep_until_us(UINT64_C(2000) * TIME_US_PER_MS);
    expect_equal(played.begun, 1);
    expect_equal(played.instance, 5);
    expect_equal(played.fed, 2);
    expect_equal(played.ended, 1);
    expect_equal(played.count, 100);
    for (uint8_t i = 0; i < 100; i++) {
        expect_equal(played.bytes[i], i);
    }
}

TEST(requests_name_programs)
{
    sleep_until_us(UINT64_C(2800) * TIME_US_PER_MS);
    expect_equal(played.named, 2);
    expect(strcmp(played.name, "sense") == 0);
    sleep_until_us(UINT64_C(3300) * TIME_US_PER_MS);
    expect_equal(played.named, 3);
    expect(strcmp(played.name, "nobody") == 0);
}

/* The last one is whole, behind one that has no end. */
TEST(what_is_no_frame_is_no_request)
{
    expect_line("xxxxxxxbeta");
    expect_line("");
    expect_line("gamma");
    sleep_until_us(UINT64_C(4000) * TIME_US_PER_MS);
    expect_equal(played.named, 4);
    expect(strcmp(played.name, "sense") == 0);
}

TEST(a_gap_ends_the_installation)
{
    sleep_until_us(UINT64_C(5000) * TIME_US_PER_MS);
    expect_equal(played.begun, 2);
    expect_equal(played.given_up, 1);
    expect_equal(played.fed, 2);
    played_result = LOAD_ADDRESS;
}

TEST(a_session_begins_with_hello)
{
    sleep_until_us(UINT64_C(6000) * TIME_US_PER_MS);
    expect_equal(played.begun, 5);
    expect_equal(played.fed, 3);
    played_result = 0;
    played_delay_ms = 50;
}

TEST(a_frame_that_comes_while_one_is_served_is_dropped)
{
    expect_line("delta");
    sleep_until_us(UINT64_C(7000) * TIME_US_PER_MS);
    expect_equal(played.fed, 4);
}

TEST(outside_of_frames_only_their_beginning_is_special)
{
    expect_line("\x03\x10\x11"
                "epsilon");
}

TEST(nothing_was_lost)
{
    expect_equal(console_lost(), 0);
}
