/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CC1000: its states, and what leads from one to the next.
 *
 *     OFF -> STARTING -> CALIBRATING, receiver and transmitter -> SETTLING -> LISTENING
 *
 *     OFF -> STARTING -> BIASING -> SETTLING, if its registers are as they shall be
 *
 *     LISTENING -> [BACKING_OFF -> SENSING ->] TURNING -> SENDING [-> AWAITING] -> SETTLING
 *
 *     LISTENING -> MEASURING -> LISTENING
 *
 * In OFF and LISTENING nothing is under way, and `rest` decides what comes next. While the receiver
 * or the transmitter is on, the part clocks a byte each 417 or 208 us, and these are the clock for
 * the times in which it settles and for backoffs: nothing waits in a loop. For what takes longer,
 * and as a limit of everything that the part should do, there is a timer.
 *
 * If the part does not keep its limit, or reads back something else than was written, it is set up
 * again from its reset, and what was under way ends with an error. If that does not help, the radio
 * is left alone for a while, FAILED, the longer the more often, and nothing can be sent.
 *
 * transmit.c has the states from BACKING_OFF to AWAITING.
 */
#include "driver/radio/cc1000/driver.h"

#include <lichen/error.h>
#include <lichen/init.h>
#include <lichen/power.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "chip/chip.h"
#include "driver/radio/cc1000/air.h"
#include "driver/radio/cc1000/bytes.h"
#include "driver/radio/cc1000/registers.h"
#include "driver/radio/cc1000/wiring.h"
#include "driver/radio/part.h"

/* Times (data sheet, "Electrical Specifications"). */
#define CRYSTAL_TICKS TIME_TICKS_OF_US(2000)    /* until the crystal is stable */
#define BIAS_TICKS    TIME_TICKS_OF_US(200)     /* until the bias is */
#define POLL_TICKS    TIME_TICKS_OF_US(3000)    /* of a calibration, which takes 34 ms at 1 MHz */
#define WATCH_TICKS   TIME_TICKS_OF_US(1000000) /* while it listens */
#define MEASURE_TICKS TIME_TICKS_OF_US(1000000) /* others may measure before, for long */

enum {
    CALIBRATION_POLLS = 30,
};

struct driver driver;

EVENT_EXTERN(cc1000_late);
static TIMER(watch, cc1000_late);

POWER_LIMIT(bytes_limit);

/* ---------------------------------------------------------------- states */
void cc1000_driver_enter(enum state state, uint64_t ticks)
{
    driver.state = (uint8_t)state;
    (void)timer_cancel(&watch);
    int error = timer_arm_after_ticks(&watch, ticks);
    (void)error;
}

static void stop_bytes(void)
{
    cc1000_bytes_close();
    cc1000_receive_stop();
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
    cc1000_channel_open();
    cc1000_driver_enter(STARTING, CRYSTAL_TICKS);
}

void cc1000_driver_listen(void)
{
    cc1000_setup_receive();
    cc1000_bytes_hunt();
    cc1000_bytes_wait(DRIVER_SETTLING_BYTES);
    driver.polls = DRIVER_LOCK_POLLS;
    cc1000_driver_enter(SETTLING, DRIVER_LIMIT_TICKS);
}

static void begin_bytes(void)
{
    driver.is_set_up = true;
    power_limit(&bytes_limit, CHIP_SLEEP_MOVING);
    cc1000_bytes_open();
    cc1000_driver_listen();
}

static void calibrate(bool transmits)
{
    driver.transmits = transmits;
    driver.polls = CALIBRATION_POLLS;
    if (transmits) {
        cc1000_setup_transmit();
    } else {
        cc1000_setup_receive();
    }
    cc1000_setup_calibrate();
    cc1000_driver_enter(CALIBRATING, POLL_TICKS);
}

/* ---------------------------------------------------------------- failures */
void cc1000_driver_fail(uint8_t error)
{
    switch_off();
    driver.acknowledges = false;
    driver.is_set_up = false;
    uint32_t ms = radio_failed(error);
    if (ms == 0) {
        cc1000_serve();
    } else {
        cc1000_driver_enter(FAILED, (uint32_t)CHIP_TICK_HZ * ms / 1000);
    }
}

/* ---------------------------------------------------------------- at rest */
void cc1000_driver_settled(void)
{
    cc1000_driver_enter(LISTENING, WATCH_TICKS);
    cc1000_serve();
}

static void measure(void)
{
    radio_state.has_measurement = true;
    if (cc1000_channel_sample() != 0) {
        cc1000_driver_fail(ERR_IO);
        return;
    }
    cc1000_driver_enter(MEASURING, MEASURE_TICKS);
}

/* Whether what is asked for would cut off a frame that arrives. To find the channel busy does not.
 */
static bool is_to_wait(void)
{
    const uint8_t looking = RADIO_CSMA | RADIO_IF_CLEAR;

    return cc1000_bytes_mode() == BYTES_TAKE && (radio_state.is_changed || radio_state.first == 0 ||
                                                 !(radio_state.first->flags & looking));
}

static void rest_listening(void)
{
    radio_state.failures = 0;
    if (radio_state.is_cancelled) {
        radio_state.is_cancelled = false;
        radio_state.has_transfer = false;
    }
    if (driver.follows && !cc1000_channel_is_sampling()) {
        driver.follows = false;
        cc1000_channel_follow();
    }
    if (!radio_is_used()) {
        switch_off();
    } else if (radio_state.measurement != 0) {
        measure();
    } else if (is_to_wait()) {
        return;
    } else if (radio_state.is_changed && !radio_state.has_transfer) {
        switch_off();
        cc1000_serve();
    } else if (radio_state.first != 0) {
        cc1000_transmit_begin();
    }
}

static void rest(void)
{
    switch ((enum state)driver.state) {
    case OFF:
        if (radio_is_used()) {
            driver.is_set_up = driver.is_set_up && !radio_state.is_changed;
            start();
        }
        break;
    case LISTENING:
        rest_listening();
        break;
    case FAILED:
        radio_refuse_all();
        break;
    default:
        break;
    }
}

static void measured(void)
{
    radio_measured(0, cc1000_channel_dbm(),
                   cc1000_channel_is_clear() && !cc1000_bytes_are_framed());
    cc1000_driver_settled();
}

/* ---------------------------------------------------------------- events */
bool cc1000_driver_has_locked(void)
{
    if (!cc1000_bytes_has_happened(BYTES_WAITED)) {
        return false;
    }
    if (cc1000_setup_is_locked()) {
        return true;
    }
    if (--driver.polls == 0) {
        cc1000_driver_fail(ERR_TIMEOUT);
    } else {
        cc1000_bytes_wait(1);
    }
    return false;
}

/* A frame is to be acknowledged: what else was to be done begins anew afterwards. */
static bool acknowledges(void)
{
    bool is_asked = cc1000_receive_asks_acknowledgment();

    if (!is_asked || (driver.state != LISTENING && driver.state != BACKING_OFF &&
                      driver.state != SENSING && driver.state != MEASURING)) {
        return false;
    }
    radio_state.has_measurement = false;
    cc1000_transmit_acknowledge();
    return true;
}

EVENT(cc1000_step)
{
    cc1000_receive_step();
    if (acknowledges()) {
        return;
    }
    switch ((enum state)driver.state) {
    case SETTLING:
        if (cc1000_driver_has_locked()) {
            cc1000_driver_settled();
        }
        break;
    case MEASURING:
        if (!cc1000_channel_is_sampling()) {
            measured();
        }
        break;
    case BACKING_OFF:
    case SENSING:
    case TURNING:
    case SENDING:
    case AWAITING:
        cc1000_transmit_step();
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
        cc1000_driver_enter(BIASING, BIAS_TICKS);
        return;
    }
    radio_state.is_changed = false;
    if (!cc1000_setup_write()) {
        cc1000_driver_fail(ERR_IO);
        return;
    }
    calibrate(false);
}

static void look_at_calibration(void)
{
    if (!cc1000_setup_is_calibrated()) {
        if (--driver.polls == 0) {
            cc1000_driver_fail(ERR_TIMEOUT);
        } else {
            cc1000_driver_enter(CALIBRATING, POLL_TICKS);
        }
        return;
    }
    cc1000_setup_calibrate_end();
    if (driver.transmits) {
        begin_bytes();
    } else {
        calibrate(true);
    }
}

/* It still listens, and noise is measured. */
static void look_after(void)
{
    if (!cc1000_bytes_have_moved() || cc1000_read(MAIN) != MAIN_RECEIVE) {
        cc1000_driver_fail(ERR_IO);
        return;
    }
    if (!cc1000_setup_is_locked()) {
        cc1000_driver_fail(ERR_TIMEOUT);
        return;
    }
    if (cc1000_bytes_mode() == BYTES_HUNT && cc1000_channel_sample() == 0) {
        driver.follows = true;
    }
    cc1000_driver_enter(LISTENING, WATCH_TICKS);
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
        cc1000_driver_fail(ERR_TIMEOUT);
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
