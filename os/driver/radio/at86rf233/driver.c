/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The AT86RF233: its states, and what leads from one to the next.
 *
 * The driver is a machine of few states. In four of them nothing is under way, ASLEEP, OFF, LOCKED
 * and LISTENING, and what comes next is the first thing in the order of its lines that is asked for
 * and possible. In all others it waits: until bytes have been moved, for an alarm, or for the
 * radio's interrupt request. One event, at86rf233_step, runs whenever one of them has come or
 * something is asked for. It looks whether what its state waits for is there, so it may run too
 * often.
 *
 *     ASLEEP <-> OFF <-> LOCKED <-> LISTENING
 *                          |
 *                          +-> WRITING -> SENDING -> SENT -> LOCKED, or WRITING the next frame
 *                          +-> MEASURING -> LOCKED
 *     LOCKED, LISTENING -> RECEIVING -> the same
 *
 * Between two of them the state is CHANGING: TRX_STATUS is read until it is what it shall be. A
 * frame that is being received delays a change until its end, which the radio sees to.
 *
 * Everything that the radio should do has a limit in time. If it does not keep it, or answers what
 * it cannot mean, it is reset by its pin and set up again, and what was under way ends with an
 * error. After some resets in a row that do not help, the radio is left alone for a while, FAILED,
 * the longer the more often, and nothing can be sent. While it listens, a timer asks now and then
 * whether it still does.
 */
#include "driver/radio/at86rf233/driver.h"

#include <lichen/alarm.h>
#include <lichen/assert.h>
#include <lichen/error.h>
#include <lichen/gpio.h>
#include <lichen/init.h>
#include <lichen/timer.h>

#include "chip/radio_line.h"
#include "driver/radio/at86rf233/access.h"
#include "driver/radio/at86rf233/registers.h"
#include "driver/radio/at86rf233/wiring.h"
#include "driver/radio/part.h"

enum state {
    ASLEEP,
    CHANGING,
    RESETTING,
    OFF,
    DEEPENING,
    LOCKED,
    LISTENING,
    RECEIVING,
    WRITING,
    SENDING,
    SENT,
    MEASURING,
    FAILED,
};

enum {
    /* Typical times (data sheet, "State Transition Timing"), after which the state is read first,
     * and the pause before it is read again. */
    WAKE_US = 215,
    WAKE_DEEP_US = 365,
    RESET_US = 400,
    LOCK_US = 80,
    PAUSE_US = 30,
    PAUSE_BUSY_US = 250, /* while a frame is received: 4.3 ms, and 0.5 ms for its acknowledgment */
    POLLS = 60,
    MEASURE_US = 150,
    RESET_LOOPS = 8, /* the reset pulse: 625 ns at least */

    WATCH_S = 4, /* period of the timer */
};

static struct {
    uint8_t state;   /* enum state */
    uint8_t next;    /* of CHANGING; or the state from which a frame is being read */
    uint8_t target;  /* TRX_STATUS that leads there */
    uint8_t polls;   /* that are left */
    uint16_t rounds; /* of SENDING that are left */
    uint16_t steps;  /* that have been taken, and those up to the last tick of the timer */
    uint16_t steps_seen;
    bool is_deep;     /* ASLEEP is DEEP_SLEEP, or shall be */
    bool is_set_up;   /* the registers are as the settings said */
    bool is_lent;     /* its clock is needed elsewhere */
    bool is_to_check; /* whether it listens */
} driver;

static ALARM(pause, at86rf233_step);

EVENT_EXTERN(at86rf233_watch);
static TIMER(watch, at86rf233_watch);

/* ---------------------------------------------------------------- waiting */
/* The alarm is this file's alone, and not set. */
static void wait_us(uint32_t us)
{
    int error = alarm_set(&pause, us);
    assert(error == 0);
}

/* Goes on to `next` when TRX_STATUS is `target`. */
static void change(enum state next, uint8_t target)
{
    driver.state = CHANGING;
    driver.next = (uint8_t)next;
    driver.target = target;
    driver.polls = POLLS;
}

static void command(uint8_t command, enum state next, uint8_t target)
{
    at86rf233_access_write(TRX_STATE, command);
    change(next, target);
}

static bool is_busy(uint8_t state)
{
    return state == BUSY_RX || state == BUSY_RX_AACK;
}

/* ---------------------------------------------------------------- failures */
/* It comes to TRX_OFF from all states but P_ON, from which a command brings it there. */
static void reset(void)
{
    gpio_clear(at86rf233_wiring.sleep);
    gpio_clear(at86rf233_wiring.reset);
    for (unsigned loops = RESET_LOOPS; loops > 0; loops--) {
        __asm__ volatile("");
    }
    gpio_set(at86rf233_wiring.reset);
    driver.is_set_up = false;
    driver.is_deep = false;
    driver.state = RESETTING;
    wait_us(RESET_US);
}

/* If it is armed, that is in order. */
static void keep_watch(void)
{
    int error = timer_arm_after(&watch, WATCH_S * TIME_US_PER_S);
    (void)error;
}

static void leave_alone(uint32_t ms)
{
    driver.state = FAILED;
    (void)timer_cancel(&watch);
    int error = timer_arm_after(&watch, ms * TIME_US_PER_MS);
    (void)error;
}

static void stop_counting(void)
{
    if (at86rf233_times_stop != 0) {
        at86rf233_times_stop();
    }
}

static void abandon(void)
{
    at86rf233_access_stop();
    (void)alarm_cancel(&pause);
    radio_line_disable();
    stop_counting();
    at86rf233_receive_abandon();
}

static void fail(uint8_t error)
{
    abandon();
    uint32_t ms = radio_failed(error);
    if (ms == 0) {
        reset();
    } else {
        leave_alone(ms);
    }
}

/* ---------------------------------------------------------------- states at rest */
/* What follows returns whether there may be more to do at once. */
static bool leave_sleep(void)
{
    if (!radio_is_used() && !driver.is_lent) {
        return false;
    }
    gpio_clear(at86rf233_wiring.sleep);
    change(OFF, TRX_OFF);
    wait_us(driver.is_deep ? WAKE_DEEP_US : WAKE_US);
    if (driver.is_deep) {
        driver.is_set_up = false;
        driver.is_deep = false;
    }
    keep_watch();
    return true;
}

static bool sleep(void)
{
    stop_counting();
    gpio_set(at86rf233_wiring.sleep);
    driver.state = ASLEEP;
    return false;
}

static void set_up(void)
{
    radio_state.is_changed = false;
    at86rf233_transmit_set_up();
    at86rf233_setup_write();
    driver.is_set_up = at86rf233_access_read(PART_NUM) == AT86RF233;
    if (!driver.is_set_up) {
        fail(ERR_IO);
    }
}

static void lock(void)
{
    driver.is_deep = false;
    radio_line_enable();
    command(PLL_ON, LOCKED, PLL_ON);
    wait_us(LOCK_US);
}

static bool leave_trx_off(void)
{
    if (radio_is_used()) {
        if (!driver.is_set_up || radio_state.is_changed) {
            set_up();
        } else {
            lock();
        }
        return true;
    }
    if (driver.is_lent) {
        return false;
    }
    if (driver.is_deep) {
        command(PREP_DEEP_SLEEP, DEEPENING, PREP_DEEP_SLEEP);
        return true;
    }
    return sleep();
}

static void receive(void)
{
    uint8_t from = driver.state;

    switch (at86rf233_receive_begin()) {
    case RECEIVE_MOVES:
        driver.next = from;
        driver.state = RECEIVING;
        break;
    case RECEIVE_ENDED:
        break;
    case RECEIVE_UNSOUND:
        fail(ERR_IO);
        break;
    }
}

static void count(void)
{
    if (at86rf233_times_count != 0) {
        at86rf233_times_count();
    }
}

static void compare(void)
{
    if (at86rf233_times_compare != 0) {
        at86rf233_times_compare();
    }
}

static void write(void)
{
    count();
    radio_state.is_cancelled = false;
    radio_state.has_transfer = true;
    driver.state = WRITING;
    at86rf233_transmit_begin();
}

/* A frame that is being received tells its power itself, and that the channel is not clear. */
static bool measure_frame(void)
{
    if (!is_busy(at86rf233_access_read(TRX_STATUS) & TRX_STATUS_Msk)) {
        return false;
    }
    uint8_t ed = at86rf233_access_read(PHY_ED_LEVEL);
    radio_measured(0, (int8_t)(ED_BASE_DBM + (ed <= ED_MOST ? ed : 0)), false);
    return true;
}

/* In RX_ON, with reception disabled, so that a frame does not get in between. */
static void measure(void)
{
    radio_state.has_measurement = true;
    driver.state = MEASURING;
    at86rf233_access_write(RX_SYN, at86rf233_setup_rx_syn() | RX_SYN_RX_PDT_DIS);
    at86rf233_access_write(TRX_STATE, RX_ON);
    at86rf233_access_write(PHY_ED_LEVEL, 0);
    wait_us(MEASURE_US);
}

static bool leave_locked(void)
{
    if (radio_line_has_come()) {
        receive();
    } else if (radio_state.is_changed || !radio_is_used()) {
        command(TRX_OFF, OFF, TRX_OFF);
    } else if (at86rf233_receive_noise()) {
        change(LOCKED, PLL_ON);
    } else if (radio_state.first != 0) {
        write();
    } else if (radio_state.measurement != 0) {
        measure();
    } else {
        command(at86rf233_setup_listening(), LISTENING, at86rf233_setup_listening());
    }
    return true;
}

static void check(void)
{
    uint8_t state = at86rf233_access_read(TRX_STATUS) & TRX_STATUS_Msk;

    driver.is_to_check = false;
    if (state != at86rf233_setup_listening() && !is_busy(state)) {
        fail(ERR_IO);
    }
}

/* A frame for which there is no place stays in the radio, unless that is needed for something else.
 */
static bool leave_listening(void)
{
    if (radio_line_has_come() && radio_state.held < RADIO_QUEUE) {
        receive();
    } else if (radio_state.is_changed || radio_state.first != 0 || !radio_state.listens) {
        command(PLL_ON, LOCKED, PLL_ON);
    } else if (radio_state.measurement != 0) {
        if (!measure_frame()) {
            command(PLL_ON, LOCKED, PLL_ON);
        }
    } else if (driver.is_to_check) {
        check();
    } else {
        count();
        compare();
        return false;
    }
    return true;
}

/* ---------------------------------------------------------------- ends of what was under way */
static bool follow_change(void)
{
    uint8_t state = at86rf233_access_read(TRX_STATUS) & TRX_STATUS_Msk;

    /* A frame may begin at once when the radio listens. */
    if (state == driver.target || (driver.next == LISTENING && is_busy(state))) {
        driver.state = driver.next;
        if (driver.state == LISTENING) {
            radio_state.failures = 0;
        }
    } else if (state == PREP_DEEP_SLEEP && driver.next == OFF) {
        /* It was woken before it slept. */
        command(TRX_OFF, OFF, TRX_OFF);
    } else if (driver.polls == 0) {
        fail(ERR_TIMEOUT);
    } else {
        driver.polls--;
        wait_us(is_busy(state) ? PAUSE_BUSY_US : PAUSE_US);
    }
    return true;
}

/* A rising edge at SLP_TR starts to send. A frame that is held keeps the radio deaf: its buffer is
 * that of received frames. */
static bool send(void)
{
    if (radio_state.is_cancelled) {
        radio_state.has_transfer = false;
        command(PLL_ON, LOCKED, PLL_ON);
        return true;
    }
    if (at86rf233_access_status() != at86rf233_transmit_state()) {
        fail(ERR_IO);
        return true;
    }
    if (radio_state.first->flags & RADIO_HOLD) {
        return false;
    }
    gpio_set(at86rf233_wiring.sleep);
    gpio_clear(at86rf233_wiring.sleep);
    radio_begins();
    driver.rounds = at86rf233_transmit_rounds();
    driver.state = SENDING;
    wait_us(TRANSMIT_ROUND_US);
    compare();
    return true;
}

/* The radio goes no other way for a frame that can follow. */
static bool sends_on(void)
{
    return radio_state.first != 0 && !radio_state.is_changed &&
           at86rf233_access_status() == at86rf233_transmit_state();
}

/* The next frame is written while the end of this one is noted. */
static void has_sent(void)
{
    struct radio_transfer *transfer = radio_state.first;
    uint8_t result;
    uint8_t error = at86rf233_transmit_end(&result);

    if (error != 0) {
        fail(error);
        return;
    }
    radio_state.failures = 0;
    radio_sent(result);
    if (sends_on()) {
        write();
    } else {
        driver.state = SENT;
        event_post(&at86rf233_step);
    }
    at86rf233_transmit_note(transfer);
}

/* Who has heard of the end may have the next frame. */
static void leave_sent(void)
{
    if (sends_on()) {
        write();
    } else {
        command(PLL_ON, LOCKED, PLL_ON);
    }
}

static bool await_sent(void)
{
    if (radio_line_has_come()) {
        (void)alarm_cancel(&pause);
        has_sent();
        return driver.state != SENT;
    }
    if (--driver.rounds == 0) {
        fail(ERR_TIMEOUT);
    } else {
        wait_us(TRANSMIT_ROUND_US);
    }
    return true;
}

static void has_measured(void)
{
    uint8_t ed = at86rf233_access_read(PHY_ED_LEVEL);

    if (ed > ED_MOST) {
        fail(ERR_IO);
        return;
    }
    at86rf233_access_write(RX_SYN, at86rf233_setup_rx_syn());
    radio_measured(0, (int8_t)(ED_BASE_DBM + ed), ed <= ED_CLEAR);
    command(PLL_ON, LOCKED, PLL_ON);
}

/* ---------------------------------------------------------------- events */
static bool is_waiting(void)
{
    return at86rf233_access_is_active() ||
           (pause.is_set && !(driver.state == SENDING && radio_line_has_come()));
}

/* Takes a step. */
static bool advance(void)
{
    switch ((enum state)driver.state) {
    case ASLEEP:
        return leave_sleep();
    case CHANGING:
        return follow_change();
    case RESETTING:
        command(FORCE_TRX_OFF, OFF, TRX_OFF);
        return true;
    case OFF:
        return leave_trx_off();
    case DEEPENING:
        return sleep();
    case LOCKED:
        return leave_locked();
    case LISTENING:
        return leave_listening();
    case RECEIVING:
        at86rf233_receive_end();
        driver.state = driver.next;
        return true;
    case WRITING:
        return send();
    case SENDING:
        return await_sent();
    case SENT:
        leave_sent();
        return true;
    case MEASURING:
        has_measured();
        return true;
    case FAILED:
        break;
    }
    radio_refuse_all();
    return false;
}

EVENT(at86rf233_step)
{
    bool goes_on = true;

    while (goes_on && !is_waiting()) {
        driver.steps++;
        if (at86rf233_access_has_failed()) {
            fail(ERR_IO);
        }
        goes_on = advance();
    }
}

/* It has slept for a period: then it pays to set it up again, which DEEP_SLEEP asks for. */
static void deepen(void)
{
    driver.is_deep = true;
    gpio_clear(at86rf233_wiring.sleep);
    change(OFF, TRX_OFF);
    wait_us(WAKE_US);
}

/* Runs while the radio is not in its deepest sleep. */
EVENT(at86rf233_watch)
{
    bool has_stood = driver.steps == driver.steps_seen;

    driver.steps_seen = driver.steps;
    if (at86rf233_times_watch != 0) {
        at86rf233_times_watch();
    }
    switch ((enum state)driver.state) {
    case FAILED:
        reset();
        break;
    case ASLEEP:
        if (driver.is_deep) {
            return;
        }
        if (has_stood) {
            deepen();
        }
        break;
    case LISTENING:
        driver.is_to_check = !radio_line_has_come();
        event_post(&at86rf233_step);
        break;
    case OFF:
        break;
    default:
        if (has_stood) {
            fail(ERR_TIMEOUT);
        }
        break;
    }
    keep_watch();
}

void at86rf233_serve(void)
{
    event_post(&at86rf233_step);
}

void at86rf233_clock_start(void)
{
    driver.is_lent = true;
    event_post(&at86rf233_step);
}

/* Who has borrowed the clock has also disconnected it from its counter. */
void at86rf233_clock_stop(void)
{
    driver.is_lent = false;
    stop_counting();
    event_post(&at86rf233_step);
}

static void at86rf233_start(void)
{
    at86rf233_access_open();
    radio_line_open(&at86rf233_step);
}
INIT_IN(DRIVERS, at86rf233_start);
