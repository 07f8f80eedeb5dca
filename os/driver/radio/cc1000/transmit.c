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
#include <lichen/random.h>
#include <lichen/time.h>

#include "driver/radio/cc1000/air.h"
#include "driver/radio/cc1000/bytes.h"
#include "driver/radio/cc1000/wiring.h"
#include "driver/radio/part.h"

enum {
    SENSINGS = 5, /* samples of the channel, one of which must be clear */
    BACKOFF_BYTES = 8,
    AWAITING_BYTES = 24, /* from the end of a frame; TinyOS's motes begin within 4 */
};

/* Of a backoff, which takes 860 ms. */
#define ACCESS_TICKS TIME_TICKS_OF_US(1500000)

static struct {
    uint8_t sensings;      /* that are left */
    uint8_t retries;       /* of the channel that are left */
    uint8_t frame_retries; /* that are left */
    uint8_t exponent;      /* of the next backoff */
    uint8_t units;         /* of the present one that are left */
} attempt;

/* ---------------------------------------------------------------- access to the channel */
static void turn_around(void)
{
    cc1000_bytes_pass();
    cc1000_receive_stop();
    cc1000_setup_transmit();
    cc1000_bytes_transmit(true);
    cc1000_bytes_wait(DRIVER_SETTLING_BYTES);
    driver.polls = DRIVER_LOCK_POLLS;
    cc1000_driver_enter(TURNING, DRIVER_LIMIT_TICKS);
}

static void turn_for_frame(void)
{
    radio_state.is_sending = true;
    turn_around();
}

static void back_off(void)
{
    attempt.units = (uint8_t)(random_u32() & ((1u << attempt.exponent) - 1));
    attempt.sensings = SENSINGS;
    cc1000_bytes_wait(1);
    cc1000_driver_enter(BACKING_OFF, ACCESS_TICKS);
}

static void sense(void)
{
    if (cc1000_channel_sample() != 0) {
        cc1000_driver_fail(ERR_IO);
    } else {
        driver.state = SENSING;
    }
}

static void find_busy(void)
{
    if (attempt.retries == 0) {
        radio_note(&radio_state.counters.channel_busy);
        radio_sent(ERR_CHANNEL);
        cc1000_driver_settled();
        return;
    }
    attempt.retries--;
    if (attempt.exponent < radio_state.first->exponent_most) {
        attempt.exponent++;
    }
    back_off();
}

static void sensed(void)
{
    if (cc1000_bytes_are_framed()) {
        find_busy();
    } else if (cc1000_channel_is_clear()) {
        turn_for_frame();
    } else if (--attempt.sensings == 0) {
        find_busy();
    } else {
        sense();
    }
}

static void backed_off(void)
{
    if (attempt.units > 0) {
        attempt.units--;
        cc1000_bytes_wait(BACKOFF_BYTES);
    } else {
        sense();
    }
}

static bool has_valid_length(packet_t packet)
{
    uint16_t length = packet_length(packet);

    return length >= HEADER_BYTES &&
           length == (uint16_t)(packet_flat(packet)[LENGTH_AT] + HEADER_BYTES);
}

static void begin_attempt(void)
{
    const struct radio_transfer *transfer = radio_state.first;

    if (transfer->flags & RADIO_CSMA) {
        attempt.retries = transfer->csma_retries;
        attempt.exponent = transfer->exponent_least;
        back_off();
    } else if (transfer->flags & RADIO_IF_CLEAR) {
        attempt.retries = 0;
        attempt.sensings = SENSINGS;
        cc1000_driver_enter(SENSING, ACCESS_TICKS);
        sense();
    } else {
        turn_for_frame();
    }
}

void cc1000_transmit_begin(void)
{
    const struct radio_transfer *transfer = radio_state.first;

    if (!radio_state.has_transfer) {
        if (!has_valid_length(transfer->packet)) {
            radio_sent(ERR_INVALID);
            cc1000_serve();
            return;
        }
        radio_state.has_transfer = true;
        attempt.frame_retries = transfer->frame_retries;
    }
    begin_attempt();
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
        cc1000_bytes_send(radio_state.first->packet);
    }
    driver.state = SENDING;
}

static void note_sent(void)
{
    struct radio_transfer *transfer = radio_state.first;
    struct time_moment moment;
    uint16_t bytes = (uint16_t)(packet_length(transfer->packet) + CRC_BYTES + 1);

    time_known(&moment);
    packet_attributes(transfer->packet)->time_us =
        moment.s * TIME_US_PER_S + moment.us -
        (uint32_t)bytes * air_byte_us(radio_state.settings.rate);
    transfer->sent++;
    radio_note(&radio_state.counters.sent);
}

static bool asks_acknowledgment(void)
{
    const uint8_t *header = packet_flat(radio_state.first->packet);

    return (radio_state.first->flags & RADIO_RETRY) && (header[0] & header[1]) != 0xff;
}

static void await(void)
{
    cc1000_bytes_transmit(false);
    cc1000_setup_receive();
    cc1000_bytes_ask();
    cc1000_bytes_wait(AWAITING_BYTES);
    cc1000_driver_enter(AWAITING, DRIVER_LIMIT_TICKS);
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
    note_sent();
    if (is_spoilt) {
        radio_note(&radio_state.counters.underrun);
    }
    if (asks_acknowledgment()) {
        await();
    } else {
        stop();
        radio_sent(is_spoilt ? ERR_IO : 0);
    }
}

static void awaited(void)
{
    bool has_come = cc1000_bytes_has_happened(BYTES_ACKED);

    if (!has_come && !cc1000_bytes_has_happened(BYTES_WAITED)) {
        return;
    }
    cc1000_driver_listen();
    if (has_come) {
        radio_sent(0);
    } else if (attempt.frame_retries == 0) {
        radio_note(&radio_state.counters.not_acknowledged);
        radio_sent(ERR_NO_ACK);
    } else {
        attempt.frame_retries--;
    }
}

/* Whether what is under way was cancelled before it was on the air. */
static bool is_cancelled(void)
{
    bool is_it = radio_state.has_transfer && radio_state.is_cancelled;

    if (is_it) {
        radio_state.has_transfer = false;
        radio_state.is_cancelled = false;
    }
    return is_it;
}

static void step_of_access(void)
{
    if (is_cancelled()) {
        cc1000_driver_settled();
    } else if (driver.state == BACKING_OFF && cc1000_bytes_has_happened(BYTES_WAITED)) {
        backed_off();
    } else if (driver.state == SENSING && !cc1000_channel_is_sampling()) {
        sensed();
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
    case AWAITING:
        awaited();
        break;
    default:
        step_of_access();
        break;
    }
}
