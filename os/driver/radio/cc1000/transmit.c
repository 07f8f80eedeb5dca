/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the CC1000 sends: frames, after the channel was looked at if that is asked for, and
 * acknowledgments of frames that were received.
 *
 * A mote acknowledges a frame that was for it alone at once: it turns around, and sends a preamble
 * and the word of an acknowledgment. The sender turns around, too, and looks for that word for some
 * bytes. So acknowledgments say nothing of the frame, and are not checked: what is near enough to
 * be heard is answered so.
 */
#include "driver/radio/cc1000/driver.h"

#include <lichen/error.h>

#include "driver/radio/cc1000/bytes.h"

enum {
    SENSINGS = 5,        /* samples of the channel, one of which must be clear */
    AWAITING_BYTES = 24, /* from the end of a frame; TinyOS's motes begin within 4 */
};

static uint8_t sensings; /* that are left */

/* ---------------------------------------------------------------- access to the channel */
static void turn_around(void)
{
    cc1000_bytes_pass();
    cc1000_receive_stop();
    cc1000_setup_transmit();
    cc1000_bytes_transmit(true);
    cc1000_bytes_wait(DRIVER_SETTLING_BYTES);
    driver.polls = DRIVER_LOCK_POLLS;
    DRIVER_ENTER(TURNING, DRIVER_LIMIT_MS);
}

/* The frame is not to be sent any more. */
static void drop(void)
{
    driver.has_frame = false;
    cc1000_driver_settled();
}

static void turn_for_frame(void)
{
    if (cc1000_user_goes()) {
        turn_around();
    } else {
        drop();
    }
}

void cc1000_transmit_ended(uint8_t result)
{
    driver.has_frame = cc1000_user_sent(result);
}

static void sense(void)
{
    if (cc1000_channel_sample() != 0) {
        cc1000_driver_fail(ERR_IO);
    } else {
        driver.state = SENSING;
    }
}

static void wait_or_sense(bool begins)
{
    uint8_t count = cc1000_user_waits(begins);

    if (count != 0) {
        cc1000_bytes_wait(count);
    } else {
        sensings = SENSINGS;
        sense();
    }
}

static void end_access(uint8_t result)
{
    cc1000_transmit_ended(result);
    cc1000_driver_settled();
}

static void sensed(void)
{
    bool is_framed = cc1000_bytes_are_framed();
    bool is_clear = !is_framed && cc1000_channel_is_clear();

    if (cc1000_frame.flags & CC1000_MEASURES) {
        end_access(is_clear ? 0 : ERR_CHANNEL);
    } else if (is_clear) {
        driver.state = GOING; /* in an event of its own */
        cc1000_driver_serve();
    } else if (is_framed || --sensings == 0) {
        end_access(ERR_CHANNEL);
    } else {
        sense();
    }
}

void cc1000_transmit_begin(void)
{
    driver.has_frame = true;
    if (cc1000_frame.flags & CC1000_BACKS_OFF) {
        DRIVER_ENTER(BACKING_OFF, DRIVER_ACCESS_MS);
        wait_or_sense(true);
    } else if (cc1000_frame.flags & (CC1000_LOOKS | CC1000_MEASURES)) {
        DRIVER_ENTER(SENSING, DRIVER_ACCESS_MS);
        sensings = SENSINGS;
        sense();
    } else {
        turn_for_frame();
    }
}

void cc1000_transmit_acknowledge(void)
{
    driver.acknowledges = true;
    turn_around();
}

/* ---------------------------------------------------------------- on the air */
static void stop(void)
{
    cc1000_bytes_transmit(false);
    cc1000_driver_listen();
}

static void turned(void)
{
    cc1000_setup_amplify();
    if (driver.acknowledges) {
        cc1000_bytes_acknowledge();
    } else {
        cc1000_bytes_send();
    }
    driver.state = SENDING;
}

static void await(void)
{
    cc1000_bytes_transmit(false);
    cc1000_setup_receive();
    cc1000_bytes_ask();
    cc1000_bytes_wait(AWAITING_BYTES);
    DRIVER_ENTER(AWAITING, DRIVER_LIMIT_MS);
}

/* A frame that was sent with a wrong byte is not acknowledged, and perhaps sent again. */
static void sent(void)
{
    bool is_spoilt = cc1000_bytes_were_late();

    if (driver.acknowledges) {
        driver.acknowledges = false;
        stop();
        return;
    }
    cc1000_user_left();
    if (is_spoilt) {
        cc1000_user_note(CC1000_UNDERRUN);
    }
    if (cc1000_frame.flags & CC1000_AWAITS) {
        await();
    } else {
        cc1000_transmit_ended(is_spoilt ? ERR_IO : 0);
        driver.state = STOPPING;
        cc1000_driver_serve();
    }
}

/* The receiver is on already. Without an acknowledgment, others may be about to send. */
static void awaited(void)
{
    if (cc1000_bytes_has_happened(BYTES_ACKED)) {
        cc1000_bytes_hunt();
        end_access(0);
    } else if (cc1000_bytes_has_happened(BYTES_WAITED)) {
        cc1000_driver_listen();
        cc1000_transmit_ended(ERR_NO_ACK);
    }
}

void cc1000_transmit_cut(void)
{
    if ((driver.state == TURNING || driver.state == SENDING) && !driver.acknowledges) {
        driver.has_frame = false;
        cc1000_bytes_pass();
        stop();
    }
}

void cc1000_transmit_step(void)
{
    switch ((enum state)driver.state) {
    case TURNING:
        if (cc1000_driver_has_locked()) {
            turned();
        }
        break;
    case SENDING:
        if (cc1000_bytes_has_happened(BYTES_SENT)) {
            sent();
        }
        break;
    case GOING:
        turn_for_frame();
        break;
    case STOPPING:
        stop();
        break;
    case AWAITING:
        awaited();
        break;
    case BACKING_OFF:
        if (cc1000_bytes_has_happened(BYTES_WAITED)) {
            wait_or_sense(false);
        }
        break;
    default:
        if (!cc1000_channel_is_sampling()) {
            sensed();
        }
        break;
    }
}
