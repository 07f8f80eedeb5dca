/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A message whose deadline passes, over the board's own radio: nobody else is on the air. Its bytes
 * are the caller's again, so the radio must not be on the way to send them, nor send them. */
#include <lichen/am.h>

#include <lichen/print.h>
#include <lichen/thread.h>

#include "driver/radio/cc1000/driver.h"
#include "net/byte_link/byte_link.h"
#include "test.h"

enum {
    OWN = 1,
    NOBODY = 2,
    COUNT = 6,
    FIRST_US = 200,
    STEP_US = 230,
    MOST_US = 60000, /* a backoff, the frame, and the wait for its acknowledgment */
    STATES = FAILED + 1,
};

LINK_FRAMES(3, 10);
AM_RECEIVER(counts, COUNT, 2);

static uint16_t seen[STATES]; /* how often a deadline has left the driver in each state */

/* The state in which the driver is. */
static int look(void *nothing)
{
    (void)nothing;
    return driver.state;
}

TEST(a_deadline_may_pass_at_any_moment)
{
    static uint8_t bytes[10];
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};
    struct link_counters counters;

    expect_equal(link_open(&settings), 0);
    sleep_ms(100);
    for (uint32_t us = FIRST_US; us < MOST_US; us += STEP_US) {
        int error = am_send_until(NOBODY, COUNT, bytes, sizeof(bytes), time_now_us() + us);
        int state = kernel_run(look, 0);
        expect_equal(error, ERR_TIMEOUT);
        expect(state != TURNING && state != SENDING);
        expect(byte_link_state.current == 0 && byte_link_state.to_send == 0);
        seen[state]++;
    }
    for (uint8_t i = 0; i < 3; i++) {
        link_count(&counters);
        uint16_t sent = counters.sent;
        expect_equal(am_send(AM_ALL, COUNT, bytes, sizeof(bytes)), 0);
        link_count(&counters);
        expect_equal(counters.sent, sent + 1);
    }
    /* It is cut off in the turn, or on the air, and then listens anew. */
    expect(seen[BACKING_OFF] > 10 && seen[SETTLING] > 10 && seen[AWAITING] > 10);
    expect_equal(byte_link_losses[LOST_BY_LINK + CC1000_RESTARTS], 0);
}
