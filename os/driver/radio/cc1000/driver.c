/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CC1000: its states, and what leads from one to the next.
 *
 *     OFF -> STARTING -> CALIBRATING, receiver and transmitter -> SETTLING -> LISTENING
 *
 *     OFF -> STARTING -> BIASING -> SETTLING, if its registers are as they shall be
 *
 *     LISTENING -> [BACKING_OFF -> SENSING -> GOING ->] TURNING -> SENDING -> STOPPING -> SETTLING
 *
 *     SENDING -> AWAITING -> LISTENING
 *
 *     LISTENING -> SENSING -> LISTENING, to measure the channel
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
#include "driver/radio/cc1000/bytes.h"
#include "driver/radio/cc1000/registers.h"
#include "driver/radio/cc1000/wiring.h"

/* Times (data sheet, "Electrical Specifications"). */
#define CRYSTAL_TICKS TIME_TICKS_OF_US(2000) /* until the crystal is stable */
#define BIAS_TICKS    TIME_TICKS_OF_US(200)  /* until the bias is */
#define POLL_TICKS    TIME_TICKS_OF_US(3000) /* of a calibration, which takes 34 ms at 1 MHz */
#define PERIOD_TICKS  TIME_TICKS_OF_US(DRIVER_PERIOD_MS * 1000ul)
#define WATCH_MS      1000u /* while it listens */

enum {
    CALIBRATION_POLLS = 30,
    FAILURES = 3,        /* in a row, until the radio is left alone, */
    LEFT_ALONE_MS = 100, /* for so long at first, */
    DOUBLINGS_MAX = 9,   /* and then so many times twice as long at most */
};

struct cc1000_settings cc1000_settings;
struct cc1000_frame cc1000_frame;
struct driver driver;

EVENT_EXTERN(cc1000_late);
static TIMER(watch, cc1000_late);

POWER_LIMIT(bytes_limit);

/* ---------------------------------------------------------------- states */
void cc1000_driver_enter(enum state state, uint8_t periods)
{
    driver.state = (uint8_t)state;
    driver.periods = periods;
}

/* Enters a state that ends so. */
static void enter_for(enum state state, uint64_t ticks)
{
    driver.state = (uint8_t)state;
    (void)timer_cancel(&watch);
    int error = timer_arm_after_ticks(&watch, ticks);
    (void)error;
}

static void watch_period(void)
{
    int error = timer_arm_after_ticks(&watch, PERIOD_TICKS);
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
    enter_for(STARTING, CRYSTAL_TICKS);
}

void cc1000_driver_listen(void)
{
    cc1000_setup_receive();
    cc1000_bytes_hunt();
    cc1000_bytes_wait(DRIVER_SETTLING_BYTES);
    driver.polls = DRIVER_LOCK_POLLS;
    DRIVER_ENTER(SETTLING, DRIVER_LIMIT_MS);
}

static void begin_bytes(void)
{
    driver.is_set_up = true;
    power_limit(&bytes_limit, CHIP_SLEEP_MOVING);
    cc1000_bytes_open();
    (void)timer_cancel(&watch);
    watch_period();
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
    enter_for(CALIBRATING, POLL_TICKS);
}

/* ---------------------------------------------------------------- failures */
static void refuse_all(void)
{
    while (cc1000_user_next()) {
        (void)!cc1000_user_sent(ERR_IO);
    }
}

/* For so long the part is left alone. */
static uint32_t alone_ticks(void)
{
    uint8_t doublings = (uint8_t)(driver.failures - FAILURES);

    return ((uint32_t)CHIP_TICK_HZ * LEFT_ALONE_MS / 1000)
           << (doublings < DOUBLINGS_MAX ? doublings : DOUBLINGS_MAX);
}

void cc1000_driver_fail(uint8_t error)
{
    switch_off();
    driver.acknowledges = false;
    driver.is_set_up = false;
    cc1000_user_note(CC1000_RESTARTS);
    if (driver.has_frame) {
        driver.has_frame = false;
        (void)!cc1000_user_sent(error);
    }
    if (driver.failures < UINT8_MAX) {
        driver.failures++;
    }
    if (driver.failures < FAILURES) {
        cc1000_driver_serve();
    } else {
        refuse_all();
        enter_for(FAILED, alone_ticks());
    }
}

/* ---------------------------------------------------------------- at rest */
void cc1000_driver_settled(void)
{
    DRIVER_ENTER(LISTENING, WATCH_MS);
    cc1000_driver_serve();
}

/* Whether it would cut off a frame that arrives. To find the channel busy does not. */
static bool is_to_wait(bool sends)
{
    const uint8_t looking = CC1000_BACKS_OFF | CC1000_LOOKS | CC1000_MEASURES;

    return cc1000_bytes_mode() == BYTES_TAKE &&
           (cc1000_settings.is_changed || !sends || !(cc1000_frame.flags & looking));
}

static void rest_listening(void)
{
    bool sends = driver.has_frame || cc1000_user_next();

    driver.failures = 0;
    if (driver.follows && !cc1000_channel_is_sampling()) {
        driver.follows = false;
        cc1000_channel_follow();
    }
    if (!sends && !cc1000_settings.listens) {
        switch_off();
    } else if (is_to_wait(sends)) {
        return;
    } else if (cc1000_settings.is_changed && !driver.has_frame) {
        switch_off();
        cc1000_driver_serve();
    } else if (sends) {
        cc1000_transmit_begin();
    }
}

static void rest(void)
{
    switch ((enum state)driver.state) {
    case OFF:
        if (cc1000_settings.listens || cc1000_user_next()) {
            driver.is_set_up = driver.is_set_up && !cc1000_settings.is_changed;
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

    if (!is_asked ||
        (driver.state != LISTENING && driver.state != BACKING_OFF && driver.state != SENSING)) {
        return false;
    }
    cc1000_transmit_acknowledge();
    return true;
}

/* After a frame it lets other events run before it acknowledges. */
EVENT(cc1000_step)
{
    if (cc1000_receive_step()) {
        cc1000_driver_serve();
        return;
    }
    if (acknowledges()) {
        return;
    }
    switch ((enum state)driver.state) {
    case SETTLING:
        if (cc1000_driver_has_locked()) {
            cc1000_driver_settled();
        }
        break;
    case BACKING_OFF:
    case SENSING:
    case GOING:
    case TURNING:
    case SENDING:
    case STOPPING:
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
        enter_for(BIASING, BIAS_TICKS);
        return;
    }
    cc1000_settings.is_changed = false;
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
            enter_for(CALIBRATING, POLL_TICKS);
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
    DRIVER_ENTER(LISTENING, WATCH_MS);
}

/* A state in which bytes are moved has lasted for another period. */
static void pass_period(void)
{
    if (--driver.periods != 0) {
        watch_period();
    } else if (driver.state == LISTENING) {
        watch_period();
        look_after();
    } else {
        cc1000_driver_fail(ERR_TIMEOUT);
    }
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
    case FAILED:
        driver.state = OFF;
        cc1000_driver_serve();
        break;
    default:
        pass_period();
        break;
    }
}

void cc1000_driver_serve(void)
{
    event_post(&cc1000_step);
}

static void cc1000_start(void)
{
    cc1000_wires_open();
    switch_off();
}
INIT_IN(DRIVERS, cc1000_start);
