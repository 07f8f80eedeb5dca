/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The AT86RF233: its states, and what leads from one to the next.
 *
 * The driver is a machine of few states. In four of them nothing is under way, ASLEEP, OFF, LOCKED
 * and LISTENING, and `rest` decides what comes next: the first thing in the order of its lines that
 * is asked for and possible. In all others the driver waits for the end of an access on SPI, for an
 * alarm, or for the radio's interrupt request, and one event, at86rf233_step, runs whenever one of
 * them has come or something is asked for. It looks whether what its state waits for is there, so
 * it may run too often.
 *
 *     ASLEEP <-> OFF <-> LOCKED <-> LISTENING
 *                          |
 *                          +-> WRITING -> SENDING -> SENT -> LOCKED or LISTENING
 *                          +-> MEASURING -> MEASURED -> LOCKED
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
    SETTING_UP,
    LOCKED,
    LISTENING,
    RECEIVING,
    WRITING,
    SENDING,
    SENT,
    MEASURING,
    MEASURED,
    CHECKING,
    FAILED,
};

enum {
    /* Typical times (data sheet, "State Transition Timing"), after which the state is read first,
     * and the pause before it is read again. */
    WAKE_US = 230,
    WAKE_DEEP_US = 380,
    RESET_US = 400,
    PAUSE_US = 40,
    PAUSE_BUSY_US = 250, /* while a frame is received: 4.3 ms, and 0.5 ms for its acknowledgment */
    POLLS = 50,
    MEASURE_US = 160,
    RESET_LOOPS = 8, /* the reset pulse: 625 ns at least */

    WATCH_S = 4,             /* period of the timer */
    RESETS = 3,              /* in a row, until the radio is left alone */
    BACKOFF_LEAST_MS = 100,  /* for so long at first, */
    BACKOFF_MOST_MS = 51200, /* and at most */
};

static struct {
    uint8_t state;    /* enum state */
    uint8_t next;     /* of CHANGING; or the state from which a frame is being read, or checked */
    uint8_t target;   /* TRX_STATUS that leads there */
    uint8_t polls;    /* that are left */
    uint8_t asked;    /* index of the access that reads TRX_STATUS, or PART_NUM */
    uint8_t value;    /* index of another one */
    uint8_t failures; /* in a row */
    uint16_t rounds;  /* of SENDING that are left */
    uint16_t steps;   /* that have been taken, and those up to the last tick of the timer */
    uint16_t steps_seen;
    bool is_paused;    /* CHANGING waits for the alarm, not for an access */
    bool is_deep;      /* ASLEEP is DEEP_SLEEP, or shall be */
    bool is_set_up;    /* the registers are as the settings said */
    bool counts;       /* its clock is counted */
    bool is_lent;      /* its clock is needed elsewhere */
    bool has_transfer; /* the first transfer is under way */
    bool has_measurement;
} driver;

static ALARM(pause, at86rf233_step);

EVENT_EXTERN(at86rf233_watch);
static TIMER(watch, at86rf233_watch);

static void rest(void);
static void fail(uint8_t error);

/* ---------------------------------------------------------------- waiting */
static void wait_us(uint32_t us)
{
    int error = alarm_set(&pause, us);
    (void)error;
}

/* Asks for the state. */
static void ask(void)
{
    driver.is_paused = false;
    access_begin();
    driver.asked = access_read(TRX_STATUS);
    access_start();
}

/* Goes on to `next` when TRX_STATUS is `target`. An access that ends with the question has been
 * described, or there is to be a pause first. */
static void change(enum state next, uint8_t target)
{
    driver.state = CHANGING;
    driver.next = (uint8_t)next;
    driver.target = target;
    driver.polls = POLLS;
    driver.is_paused = false;
}

static void change_after(uint32_t us, enum state next, uint8_t target)
{
    change(next, target);
    driver.is_paused = true;
    wait_us(us);
}

static void command(uint8_t command, enum state next, uint8_t target)
{
    change(next, target);
    access_begin();
    access_write(TRX_STATE, command);
    driver.asked = access_read(TRX_STATUS);
    access_start();
}

static bool is_busy(uint8_t status)
{
    return status == BUSY_RX || status == BUSY_RX_AACK;
}

static void changed(void)
{
    uint8_t status = access_value(driver.asked) & TRX_STATUS_Msk;

    /* A frame may begin at once when the radio listens. */
    if (status == driver.target || (driver.next == LISTENING && is_busy(status))) {
        driver.state = driver.next;
        rest();
    } else if (status == PREP_DEEP_SLEEP) {
        /* It was woken before it slept. */
        command(TRX_OFF, OFF, TRX_OFF);
    } else if (driver.polls == 0) {
        fail(ERR_TIMEOUT);
    } else {
        driver.polls--;
        driver.is_paused = true;
        wait_us(is_busy(status) ? PAUSE_BUSY_US : PAUSE_US);
    }
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

static void refuse_all(void)
{
    while (radio.first != 0) {
        radio_sent(ERR_IO);
    }
    radio_measured(ERR_IO, 0, false);
}

/* If it is armed, that is in order. */
static void keep_watch(void)
{
    int error = timer_arm_after(&watch, WATCH_S * TIME_US_PER_S);
    (void)error;
}

static void leave_alone(void)
{
    unsigned doublings = driver.failures - RESETS;
    uint32_t ms = doublings < 9 ? (uint32_t)BACKOFF_LEAST_MS << doublings : BACKOFF_MOST_MS;

    driver.state = FAILED;
    refuse_all();
    (void)timer_cancel(&watch);
    int error = timer_arm_after(&watch, (uint64_t)ms * TIME_US_PER_MS);
    (void)error;
}

static void stop_counting(void)
{
    if (driver.counts) {
        driver.counts = false;
        radio_clock_stops();
    }
}

static void abandon(uint8_t error)
{
    access_stop();
    (void)alarm_cancel(&pause);
    radio_line_disable();
    stop_counting();
    receive_abandon();
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
    abandon(error);
    radio_note(&radio.counters.restarts);
    if (driver.failures < UINT8_MAX) {
        driver.failures++;
    }
    if (driver.failures < RESETS) {
        reset();
    } else {
        leave_alone();
    }
}

/* ---------------------------------------------------------------- states at rest */
static bool is_used(void)
{
    return radio.listens || radio.first != 0;
}

static void wake(void)
{
    gpio_clear(at86rf233_wiring.sleep);
    if (driver.is_deep) {
        driver.is_set_up = false;
    }
    change_after(driver.is_deep ? WAKE_DEEP_US : WAKE_US, OFF, TRX_OFF);
    driver.is_deep = false;
    keep_watch();
}

static void sleep(void)
{
    stop_counting();
    gpio_set(at86rf233_wiring.sleep);
    driver.state = ASLEEP;
}

static void set_up(void)
{
    radio.is_changed = false;
    access_begin();
    setup_write();
    driver.asked = access_read(PART_NUM);
    driver.state = SETTING_UP;
    access_start();
}

static void rest_off(void)
{
    if (!is_used() && driver.is_lent) {
        return;
    }
    if (!is_used() && driver.is_deep) {
        command(PREP_DEEP_SLEEP, DEEPENING, PREP_DEEP_SLEEP);
        return;
    }
    driver.is_deep = false;
    if (!is_used()) {
        sleep();
    } else if (!driver.is_set_up || radio.is_changed) {
        set_up();
    } else {
        radio_line_enable();
        command(PLL_ON, LOCKED, PLL_ON);
    }
}

static void receive(void)
{
    driver.next = driver.state;
    driver.state = RECEIVING;
    access_begin();
    receive_begin();
    access_start();
}

static void send(void)
{
    radio.is_cancelled = false;
    driver.has_transfer = true;
    driver.state = WRITING;
    access_begin();
    transmit_prepare();
    access_start();
}

/* In RX_ON, with reception disabled, so that a frame does not get in between. */
static void measure(void)
{
    driver.has_measurement = true;
    driver.state = MEASURING;
    access_begin();
    access_write(RX_SYN, setup_rx_syn() | RX_SYN_RX_PDT_DIS);
    access_write(TRX_STATE, RX_ON);
    access_write(PHY_ED_LEVEL, 0);
    driver.is_paused = false;
    access_start();
}

static void count(void)
{
    if (!driver.counts) {
        driver.counts = true;
        radio_clock_count();
        radio_clock_compare();
    }
}

static void rest_locked(void)
{
    if (radio_line_has_come()) {
        receive();
    } else if (radio.is_changed || !is_used()) {
        command(TRX_OFF, OFF, TRX_OFF);
    } else if (radio.first != 0) {
        count();
        send();
    } else if (radio.looks != 0) {
        measure();
    } else {
        command(setup_listening(), LISTENING, setup_listening());
    }
}

/* A frame for which there is no place stays in the radio, unless that is needed for something else.
 */
static void rest_listening(void)
{
    driver.failures = 0;
    if (radio_line_has_come() && radio.held < RADIO_QUEUE) {
        receive();
    } else if (radio.is_changed || radio.first != 0 || radio.looks != 0 || !radio.listens) {
        command(PLL_ON, LOCKED, PLL_ON);
    } else {
        count();
    }
}

static void rest(void)
{
    switch ((enum state)driver.state) {
    case ASLEEP:
        if (is_used() || driver.is_lent) {
            wake();
        }
        break;
    case DEEPENING:
        sleep();
        break;
    case OFF:
        rest_off();
        break;
    case LOCKED:
        rest_locked();
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

/* ---------------------------------------------------------------- ends of what was under way */
static void is_set_up(void)
{
    if (access_value(driver.asked) != AT86RF233) {
        fail(ERR_IO);
        return;
    }
    driver.is_set_up = true;
    driver.state = OFF;
    rest();
}

static void received(void)
{
    bool is_sound = receive_end();

    radio_line_enable();
    if (!is_sound) {
        fail(ERR_IO);
        return;
    }
    driver.state = driver.next;
    rest();
}

/* A rising edge at SLP_TR starts to send. */
static void written(void)
{
    if (radio.is_cancelled) {
        driver.has_transfer = false;
        command(PLL_ON, LOCKED, PLL_ON);
        return;
    }
    if (access_frame_status() != transmit_state()) {
        fail(ERR_IO);
        return;
    }
    radio.is_sending = true;
    driver.rounds = transmit_rounds();
    driver.state = SENDING;
    gpio_set(at86rf233_wiring.sleep);
    gpio_clear(at86rf233_wiring.sleep);
    wait_us(TRANSMIT_ROUND_US);
}

static bool listens_next(void)
{
    return radio.listens && radio.first->next == 0 && !radio.is_changed && radio.looks == 0;
}

/* It asks what has come of it, and goes on to the state that is needed next. */
static void ask_sent(void)
{
    access_begin();
    transmit_ask();
    access_write(TRX_STATE, PLL_ON);
    driver.next = LOCKED;
    driver.target = PLL_ON;
    if (listens_next()) {
        driver.next = LISTENING;
        driver.target = setup_listening();
        access_write(TRX_STATE, driver.target);
    }
    driver.asked = access_read(TRX_STATUS);
    driver.state = SENT;
    access_start();
}

static void sending(void)
{
    if (radio_line_has_come()) {
        (void)alarm_cancel(&pause);
        ask_sent();
    } else if (--driver.rounds == 0) {
        fail(ERR_TIMEOUT);
    } else {
        wait_us(TRANSMIT_ROUND_US);
    }
}

static void sent(void)
{
    uint8_t result;
    uint8_t error = transmit_end(&result);

    radio_line_enable();
    if (error != 0) {
        fail(error);
        return;
    }
    driver.failures = 0;
    driver.has_transfer = false;
    radio_sent(result);
    change((enum state)driver.next, driver.target);
    changed();
}

static void measuring(void)
{
    if (!driver.is_paused) {
        driver.is_paused = true;
        wait_us(MEASURE_US);
        return;
    }
    driver.state = MEASURED;
    access_begin();
    driver.value = access_read(PHY_ED_LEVEL);
    access_write(RX_SYN, setup_rx_syn());
    access_write(TRX_STATE, PLL_ON);
    driver.asked = access_read(TRX_STATUS);
    access_start();
}

static void measured(void)
{
    uint8_t ed = access_value(driver.value);

    if (ed > ED_MOST) {
        fail(ERR_IO);
        return;
    }
    driver.has_measurement = false;
    radio_measured(0, (int8_t)(ED_BASE_DBM + ed), ed <= ED_CLEAR);
    change(LOCKED, PLL_ON);
    changed();
}

static void checked(void)
{
    uint8_t status = access_value(driver.asked) & TRX_STATUS_Msk;

    if (status != setup_listening() && !is_busy(status)) {
        fail(ERR_IO);
        return;
    }
    driver.state = LISTENING;
    radio_clock_compare();
    rest();
}

/* ---------------------------------------------------------------- events */
static bool is_waiting(void)
{
    return access_is_active() ||
           (pause.is_set && !(driver.state == SENDING && radio_line_has_come()));
}

static void changing(void)
{
    if (driver.is_paused) {
        ask();
    } else {
        changed();
    }
}

EVENT(at86rf233_step)
{
    if (is_waiting()) {
        return;
    }
    driver.steps++;
    if (access_take_result() != 0) {
        fail(ERR_IO);
        return;
    }
    switch ((enum state)driver.state) {
    case CHANGING:
        changing();
        break;
    case RESETTING:
        command(FORCE_TRX_OFF, OFF, TRX_OFF);
        break;
    case SETTING_UP:
        is_set_up();
        break;
    case RECEIVING:
        received();
        break;
    case WRITING:
        written();
        break;
    case SENDING:
        sending();
        break;
    case SENT:
        sent();
        break;
    case MEASURING:
        measuring();
        break;
    case MEASURED:
        measured();
        break;
    case CHECKING:
        checked();
        break;
    default:
        rest();
        break;
    }
}

static void check(void)
{
    driver.state = CHECKING;
    access_begin();
    driver.asked = access_read(TRX_STATUS);
    access_start();
}

/* It has slept for a period: then it pays to set it up again, which DEEP_SLEEP asks for. */
static void deepen(void)
{
    driver.is_deep = true;
    gpio_clear(at86rf233_wiring.sleep);
    change_after(WAKE_US, OFF, TRX_OFF);
}

/* Runs while the radio is not in its deepest sleep. */
EVENT(at86rf233_watch)
{
    bool has_stood = driver.steps == driver.steps_seen;

    driver.steps_seen = driver.steps;
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
        if (!radio_line_has_come()) {
            check();
        }
        break;
    case OFF:
    case SENDING:
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

void radio_clock_start(void)
{
    driver.is_lent = true;
    event_post(&at86rf233_step);
}

/* Who has borrowed the clock has also disconnected it from its counter. */
void radio_clock_stop(void)
{
    driver.is_lent = false;
    stop_counting();
    event_post(&at86rf233_step);
}

static void at86rf233_start(void)
{
    access_open();
    radio_line_open(&at86rf233_step);
}
INIT_IN(DRIVERS, at86rf233_start);
