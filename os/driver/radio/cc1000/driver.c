/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CC1000: its states, and what leads from one to the next.
 *
 *     OFF -> STARTING -> CALIBRATING (receiver, then transmitter) -> SETTLING -> LISTENING
 *     OFF -> STARTING -> BIASING -> SETTLING                    if its registers are as they shall
 * be LISTENING -> [BACKING_OFF -> SENSING ->] TURNING -> SENDING -> SETTLING LISTENING -> MEASURING
 * -> LISTENING
 *
 * In OFF and LISTENING nothing is under way, and `rest` decides what comes next. While the receiver
 * or the transmitter is on, the part clocks a byte each 417 or 208 us, and these are the clock for
 * the times in which it settles and for backoffs: nothing waits in a loop. For what takes longer,
 * and as a limit of everything that the part should do, there is a timer.
 *
 * If the part does not keep its limit, or reads back something else than was written, it is set up
 * again from its reset, and what was under way ends with an error. If that does not help, the radio
 * is left alone for a while, FAILED, the longer the more often, and nothing can be sent.
 */
#include "driver/radio/cc1000/driver.h"

#include <lichen/error.h>
#include <lichen/init.h>
#include <lichen/power.h>
#include <lichen/random.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "driver/radio/cc1000/air.h"
#include "driver/radio/cc1000/bytes.h"
#include "driver/radio/cc1000/registers.h"
#include "driver/radio/cc1000/wiring.h"
#include "driver/radio/part.h"

enum state {
    OFF,
    STARTING,
    BIASING,
    CALIBRATING,
    SETTLING,
    LISTENING,
    BACKING_OFF,
    SENSING,
    MEASURING,
    TURNING,
    SENDING,
    FAILED,
};

/* Times (data sheet, "Electrical Specifications"). */
#define CRYSTAL_TICKS TIME_TICKS_OF_US(2000)    /* until the crystal is stable */
#define BIAS_TICKS    TIME_TICKS_OF_US(200)     /* until the bias is */
#define POLL_TICKS    TIME_TICKS_OF_US(3000)    /* of a calibration, which takes 34 ms at 1 MHz */
#define LIMIT_TICKS   TIME_TICKS_OF_US(150000)  /* of sending a frame, which takes 60 ms */
#define ACCESS_TICKS  TIME_TICKS_OF_US(1000000) /* of a backoff, which takes 430 ms */
#define WATCH_TICKS   TIME_TICKS_OF_US(1000000) /* while it listens */
#define LEFT_TICKS    TIME_TICKS_OF_US(100000)  /* it is left alone so long at first */

enum {
    CALIBRATION_POLLS = 30,
    /* The first byte may end at once, so it is as much as one: more than the 200 us of the
     * synthesizer, which is asked then. */
    SETTLING_BYTES = 2,
    LOCK_POLLS = 10, /* a byte each */
    SENSINGS = 5,    /* samples of the channel, one of which must be clear */
    BACKOFF_BYTES = 4,
    RESTARTS = 3,      /* in a row, until it is left alone */
    DOUBLINGS_MAX = 9, /* of that time */
};

static struct {
    uint8_t state;    /* enum state */
    uint8_t polls;    /* that are left */
    uint8_t retries;  /* of the channel that are left */
    uint8_t exponent; /* of the next backoff */
    uint8_t units;    /* of the present one that are left */
    uint8_t failures; /* in a row */
    bool transmits;   /* CALIBRATING: the transmitter */
    bool is_set_up;   /* the registers are as the settings say, and calibrated */
    bool has_transfer;
    bool has_measurement;
    bool follows; /* a sample of noise is being taken */
} driver;

EVENT_EXTERN(cc1000_late);
static TIMER(watch, cc1000_late);

POWER_LIMIT(bytes_limit);

/* ---------------------------------------------------------------- states */
static void enter(enum state state, uint64_t ticks)
{
    driver.state = (uint8_t)state;
    (void)timer_cancel(&watch);
    int error = timer_arm_after_ticks(&watch, ticks);
    (void)error;
}

static void stop_bytes(void)
{
    bytes_close();
    receive_abandon();
    power_unlimit(&bytes_limit);
}

static void switch_off(void)
{
    stop_bytes();
    cc1000_write(MAIN, MAIN_OFF);
    cc1000_write(PA_POW, 0);
    (void)timer_cancel(&watch);
    driver.state = OFF;
}

static void start(void)
{
    cc1000_wires_open();
    if (!driver.is_set_up) {
        cc1000_write(MAIN, MAIN_RESET);
    }
    cc1000_write(MAIN, MAIN_CRYSTAL);
    channel_open();
    enter(STARTING, CRYSTAL_TICKS);
}

static void listen(void)
{
    setup_receive();
    bytes_hunt();
    bytes_wait(SETTLING_BYTES);
    driver.polls = LOCK_POLLS;
    enter(SETTLING, LIMIT_TICKS);
}

static void begin_bytes(void)
{
    driver.is_set_up = true;
    power_limit(&bytes_limit, CHIP_SLEEP_IDLE);
    bytes_open();
    listen();
}

static void calibrate(bool transmits)
{
    driver.transmits = transmits;
    driver.polls = CALIBRATION_POLLS;
    if (transmits) {
        setup_transmit();
    } else {
        setup_receive();
    }
    setup_calibrate();
    enter(CALIBRATING, POLL_TICKS);
}

/* ---------------------------------------------------------------- failures */
static void refuse_all(void)
{
    while (radio.first != 0) {
        radio_sent(ERR_IO);
    }
    radio_measured(ERR_IO, 0, false);
}

static void leave_alone(void)
{
    uint8_t doublings = (uint8_t)(driver.failures - RESTARTS);

    refuse_all();
    enter(FAILED, LEFT_TICKS << (doublings < DOUBLINGS_MAX ? doublings : DOUBLINGS_MAX));
}

static void abandon(uint8_t error)
{
    if (driver.has_transfer) {
        driver.has_transfer = false;
        if (!radio.is_cancelled) {
            radio_sent(error);
        }
    }
    if (driver.has_measurement) {
        driver.has_measurement = false;
        radio_measured(error, 0, false);
    }
}

static void fail(uint8_t error)
{
    switch_off();
    abandon(error);
    driver.is_set_up = false;
    radio_note(&radio.counters.restarts);
    if (driver.failures < UINT8_MAX) {
        driver.failures++;
    }
    if (driver.failures < RESTARTS) {
        cc1000_serve();
    } else {
        leave_alone();
    }
}

/* ---------------------------------------------------------------- sending */
/* The event decides what comes next. */
static void settled(void)
{
    enter(LISTENING, WATCH_TICKS);
    cc1000_serve();
}

static void turn(void)
{
    radio.is_sending = true;
    bytes_pass();
    receive_abandon();
    setup_transmit();
    bytes_transmit(true);
    bytes_wait(SETTLING_BYTES);
    driver.polls = LOCK_POLLS;
    enter(TURNING, LIMIT_TICKS);
}

static void end_transfer(uint8_t result)
{
    driver.has_transfer = false;
    radio_sent(result);
}

static void back_off(void)
{
    uint16_t units = (uint16_t)(random_u32() & ((1u << driver.exponent) - 1));

    driver.units = (uint8_t)units;
    bytes_wait(1);
    enter(BACKING_OFF, ACCESS_TICKS);
}

static void sense(void)
{
    if (channel_sample() != 0) {
        fail(ERR_IO);
        return;
    }
    driver.state = SENSING;
}

static bool has_valid_length(packet_t packet)
{
    uint8_t header[HEADER_BYTES];

    if (packet_length(packet) < sizeof(header)) {
        return false;
    }
    packet_read(packet, 0, header, sizeof(header));
    return packet_length(packet) == header[LENGTH_AT] + sizeof(header);
}

static void begin_transfer(void)
{
    const struct radio_transfer *transfer = radio.first;

    radio.is_cancelled = false;
    if (!has_valid_length(transfer->packet)) {
        radio_sent(ERR_INVALID);
        cc1000_serve();
        return;
    }
    driver.has_transfer = true;
    driver.polls = SENSINGS;
    driver.retries = 0;
    if (transfer->ways & RADIO_CSMA) {
        driver.retries = transfer->csma_retries;
        driver.exponent = transfer->exponent_least;
        back_off();
    } else if (transfer->ways & RADIO_IF_CLEAR) {
        enter(SENSING, ACCESS_TICKS);
        sense();
    } else {
        turn();
    }
}

static void find_busy(void)
{
    if (driver.retries == 0) {
        radio_note(&radio.counters.channel_busy);
        end_transfer(ERR_CHANNEL);
        settled();
        return;
    }
    driver.retries--;
    driver.polls = SENSINGS;
    if (driver.exponent < radio.first->exponent_most) {
        driver.exponent++;
    }
    back_off();
}

static bool is_receiving(void)
{
    return bytes_mode() == BYTES_TAKE || bytes_mode() == BYTES_SYNC;
}

static void sensed(void)
{
    if (is_receiving()) {
        find_busy();
    } else if (channel_is_clear()) {
        turn();
    } else if (--driver.polls == 0) {
        find_busy();
    } else {
        sense();
    }
}

static void backed_off(void)
{
    if (driver.units > 0) {
        driver.units--;
        bytes_wait(BACKOFF_BYTES);
    } else {
        sense();
    }
}

static void note_sent(void)
{
    struct radio_transfer *transfer = radio.first;
    struct time_moment moment;
    uint16_t bytes = (uint16_t)(packet_length(transfer->packet) + CRC_BYTES + 1);

    time_known(&moment);
    packet_attributes(transfer->packet)->time_us =
        (uint64_t)moment.s * TIME_US_PER_S + moment.us -
        (uint32_t)bytes * air_byte_us(radio.settings.rate);
    transfer->sent = 1;
    radio_note(&radio.counters.sent);
}

static void sent(void)
{
    driver.failures = 0;
    note_sent();
    bytes_transmit(false);
    listen();
    end_transfer(0);
}

static void turned(void)
{
    setup_amplify();
    if (!bytes_send(radio.first->packet)) {
        bytes_transmit(false);
        listen();
        end_transfer(ERR_INVALID);
        return;
    }
    driver.state = SENDING;
}

/* ---------------------------------------------------------------- at rest */
static bool is_used(void)
{
    return radio.listens || radio.first != 0;
}

static void measure(void)
{
    driver.has_measurement = true;
    if (channel_sample() != 0) {
        fail(ERR_IO);
        return;
    }
    enter(MEASURING, LIMIT_TICKS);
}

/* Whether what is asked for would cut off a frame that arrives. To find the channel busy does not.
 */
static bool is_to_wait(void)
{
    const uint8_t looking = RADIO_CSMA | RADIO_IF_CLEAR;

    return bytes_mode() == BYTES_TAKE &&
           (radio.is_changed || radio.first == 0 || !(radio.first->ways & looking));
}

static void rest_listening(void)
{
    driver.failures = 0;
    if (driver.follows && !channel_is_sampling()) {
        driver.follows = false;
        channel_follow();
    }
    if (!is_used()) {
        switch_off();
    } else if (radio.looks != 0) {
        measure();
    } else if (is_to_wait()) {
        return;
    } else if (radio.is_changed) {
        switch_off();
        cc1000_serve();
    } else if (radio.first != 0) {
        begin_transfer();
    }
}

static void rest(void)
{
    switch ((enum state)driver.state) {
    case OFF:
        if (is_used()) {
            driver.is_set_up = driver.is_set_up && !radio.is_changed;
            start();
        }
        break;
    case LISTENING:
        rest_listening();
        break;
    case FAILED:
        refuse_all();
        break;
    default:
        break;
    }
}

static void measured(void)
{
    driver.has_measurement = false;
    radio_measured(0, channel_dbm(), channel_is_clear() && !is_receiving());
    settled();
}

/* ---------------------------------------------------------------- events */
/* The synthesizer is asked after some bytes. Returns whether it is locked. */
static bool has_locked(void)
{
    if (!bytes_has_happened(BYTES_WAITED)) {
        return false;
    }
    if (setup_is_locked()) {
        return true;
    }
    if (--driver.polls == 0) {
        fail(ERR_TIMEOUT);
    } else {
        bytes_wait(1);
    }
    return false;
}

/* Whether what is under way was cancelled before it was on the air. */
static bool is_cancelled(void)
{
    bool is_it = driver.has_transfer && radio.is_cancelled;

    if (is_it) {
        driver.has_transfer = false;
        radio.is_cancelled = false;
    }
    return is_it;
}

static void step_of_transfer(void)
{
    if (is_cancelled()) {
        settled();
    } else if (driver.state == BACKING_OFF && bytes_has_happened(BYTES_WAITED)) {
        backed_off();
    } else if (driver.state == SENSING && !channel_is_sampling()) {
        sensed();
    }
}

EVENT(cc1000_step)
{
    receive_step();
    switch ((enum state)driver.state) {
    case SETTLING:
        if (has_locked()) {
            settled();
        }
        break;
    case BACKING_OFF:
    case SENSING:
        step_of_transfer();
        break;
    case MEASURING:
        if (!channel_is_sampling()) {
            measured();
        }
        break;
    case TURNING:
        if (has_locked()) {
            turned();
        }
        break;
    case SENDING:
        if (bytes_has_happened(BYTES_SENT)) {
            sent();
        }
        break;
    default:
        rest();
        break;
    }
}

static void set_up(void)
{
    if (driver.is_set_up) {
        cc1000_write(MAIN, MAIN_BIAS);
        enter(BIASING, BIAS_TICKS);
        return;
    }
    radio.is_changed = false;
    if (!setup_write()) {
        fail(ERR_IO);
        return;
    }
    calibrate(false);
}

static void look_at_calibration(void)
{
    if (!setup_is_calibrated()) {
        if (--driver.polls == 0) {
            fail(ERR_TIMEOUT);
        } else {
            enter(CALIBRATING, POLL_TICKS);
        }
        return;
    }
    setup_calibrate_end();
    if (driver.transmits) {
        begin_bytes();
    } else {
        calibrate(true);
    }
}

/* It still listens, and noise is measured. */
static void look_after(void)
{
    if (!bytes_have_moved() || cc1000_read(MAIN) != MAIN_RECEIVE) {
        fail(ERR_IO);
        return;
    }
    if (!setup_is_locked()) {
        fail(ERR_TIMEOUT);
        return;
    }
    if (bytes_mode() == BYTES_HUNT && channel_sample() == 0) {
        driver.follows = true;
    }
    enter(LISTENING, WATCH_TICKS);
}

/* The event of a timer that has been armed again since is none. */
EVENT(cc1000_late)
{
    if (watch.deadline.expire != 0) {
        return;
    }
    switch ((enum state)driver.state) {
    case OFF:
        break;
    case STARTING:
        set_up();
        break;
    case BIASING:
        begin_bytes();
        break;
    case CALIBRATING:
        look_at_calibration();
        break;
    case LISTENING:
        look_after();
        break;
    case FAILED:
        driver.state = OFF;
        cc1000_serve();
        break;
    default:
        fail(ERR_TIMEOUT);
        break;
    }
}

void cc1000_serve(void)
{
    event_post(&cc1000_step);
}

static void cc1000_start(void)
{
    cc1000_wires_open();
    switch_off();
}
INIT_IN(DRIVERS, cc1000_start);
