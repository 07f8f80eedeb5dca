/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CC2420: its states, and what leads from one to the next.
 *
 * The driver is a machine of few states. In three of them nothing is under way, OFF, IDLE and
 * LISTENING, and what comes next is the first thing in the order of its lines that is asked for and
 * possible. In all others it waits: for an alarm, or for its own next step, when it moves a frame
 * piece by piece and lets other events run between. One event, cc2420_step, runs whenever one of
 * them has come, FIFOP has become active, or something is asked for. It looks whether what its
 * state waits for is there, so it may run too often.
 *
 *     OFF -> POWERING -> STARTING -> IDLE -> SETTLING -> LISTENING -> IDLE
 *     IDLE, LISTENING -> WRITING -> READY -> SENDING -> LISTENING
 *                        WRITING -> IDLE, LISTENING, while the frame is held -> READY
 *     LISTENING -> READING -> LISTENING
 *     LISTENING -> MEASURING -> LISTENING
 *
 * When the receiver is turned off, or a transmission cuts off a frame that is being received, a
 * part of a frame may be left in the RXFIFO, and would be taken for the beginning of the next one.
 * So the RXFIFO is drained before anything else can be received, DRAINING: whole frames are read,
 * and the rest is flushed.
 *
 * While nothing is asked for, the regulator is off: 1.5 ms later the radio can be used again.
 *
 * Everything that the radio should do has a limit in time. If it does not keep it, or answers what
 * it cannot mean, its regulator is turned off and on again, and what was under way ends with an
 * error. After some failures in a row the radio is left alone for a while, FAILED, the longer the
 * more often, and nothing can be sent. While it listens, a timer asks now and then whether it still
 * does. A frame sent, a frame received, or this answer ends the row: to come to LISTENING does not,
 * since a radio that is stuck comes there, too.
 */
#include "driver/radio/cc2420/driver.h"

#include <lichen/alarm.h>
#include <lichen/assert.h>
#include <lichen/error.h>
#include <lichen/gpio.h>
#include <lichen/init.h>
#include <lichen/power.h>
#include <lichen/timer.h>

#include "chip/chip.h"
#include "driver/radio/cc2420/access.h"
#include "driver/radio/cc2420/registers.h"
#include "driver/radio/cc2420/wiring.h"
#include "driver/radio/part.h"

enum state {
    OFF,
    POWERING,
    STARTING,
    IDLE,
    SETTLING,
    LISTENING,
    READING,
    DRAINING,
    MEASURING,
    WRITING,
    READY,
    SENDING,
    FAILED,
};

enum {
    /* Data sheet, "Voltage Regulator" and "Crystal Oscillator": 600 us at most, and 860 us
     * typically, after which the state is read first, and the pause before it is read again. */
    REGULATOR_US = 600,
    CRYSTAL_US = 860,
    PAUSE_US = 60,
    POLLS = 60,
    REST_US = 2000, /* without its regulator, after a failure */

    WATCH_S = 4, /* period of the timer */
};

static struct {
    uint8_t state;   /* enum state */
    uint8_t reader;  /* the state from which a frame is being read */
    uint8_t drainer; /* the state that follows DRAINING */
    uint8_t polls;   /* that are left */
    uint16_t steps;  /* that have been taken, and those up to the last tick of the timer */
    uint16_t steps_seen;
    uint8_t mark;   /* what was written last to see whether the radio still takes it */
    bool receives;  /* its receiver is on */
    bool has_frame; /* the TXFIFO has the first transfer's */
    bool has_last;  /* or that of the last one which was sent, `last` */
    const struct radio_transfer *last;
    bool is_to_check; /* whether it listens */
} driver;

static ALARM(pause, cc2420_step);

EVENT_EXTERN(cc2420_watch);
static TIMER(watch, cc2420_watch);

/* ---------------------------------------------------------------- waiting */
/* The alarm is this file's alone, and not set. */
static void wait_us(uint32_t us)
{
    int error = alarm_set(&pause, us);
    assert(error == 0);
}

static void begin(enum state state)
{
    driver.state = (uint8_t)state;
    driver.polls = POLLS;
}

/* The state in which nothing is under way while the radio is on. */
static void rest(void)
{
    begin(driver.receives ? LISTENING : IDLE);
}

/* ---------------------------------------------------------------- power */
POWER_LIMIT(on_limit);

static void turn_on(void)
{
    gpio_set(cc2420_wiring.regulator);
    power_limit(&on_limit, CHIP_SLEEP_LISTENING);
    if (cc2420_times_note != 0) {
        cc2420_receive_capture();
    }
}

static void turn_off(void)
{
    int error = gpio_event_on_edge(cc2420_wiring.fifop, GPIO_EDGE_NONE, &cc2420_step);

    (void)error;
    gpio_clear(cc2420_wiring.regulator);
    cc2420_receive_capture_no_more();
    power_unlimit(&on_limit);
    driver.receives = false;
    driver.has_frame = false;
    driver.has_last = false;
    begin(OFF);
}

/* If it is armed, that is in order. */
static void keep_watch(void)
{
    int error = timer_arm_after(&watch, WATCH_S * TIME_US_PER_S);
    (void)error;
}

/* ---------------------------------------------------------------- failures */
static void leave_alone(uint32_t ms)
{
    begin(FAILED);
    (void)timer_cancel(&watch);
    int error = timer_arm_after(&watch, ms * TIME_US_PER_MS);
    (void)error;
}

static void abandon(void)
{
    (void)alarm_cancel(&pause);
    cc2420_receive_abandon();
}

static void fail(uint8_t error)
{
    abandon();
    turn_off();
    uint32_t ms = radio_failed(error);
    if (ms == 0) {
        wait_us(REST_US);
    } else {
        leave_alone(ms);
    }
}

/* Waits for a while, and what is waited for is looked at again, for some times. */
static void wait_again(void)
{
    if (driver.polls == 0) {
        fail(ERR_TIMEOUT);
    } else {
        driver.polls--;
        wait_us(PAUSE_US);
    }
}

/* ---------------------------------------------------------------- start */
/* What follows returns whether there may be more to do at once. */
static bool turn_on_if_used(void)
{
    if (!radio_is_used()) {
        return false;
    }
    turn_on();
    keep_watch();
    begin(POWERING);
    wait_us(REGULATOR_US);
    return true;
}

/* Its registers can be accessed without the crystal. */
static void start(void)
{
    gpio_clear(cc2420_wiring.reset);
    gpio_set(cc2420_wiring.reset);
    (void)cc2420_strobe(SXOSCON);
    radio_state.is_changed = false;
    cc2420_setup_registers();
    if (!cc2420_setup_is_there()) {
        fail(ERR_IO);
        return;
    }
    begin(STARTING);
    wait_us(CRYSTAL_US);
}

static void follow_start(void)
{
    if (!(cc2420_strobe(SNOP) & STATUS_XOSC16M_STABLE)) {
        wait_again();
        return;
    }
    cc2420_setup_addresses();
    int error = gpio_event_on_edge(cc2420_wiring.fifop, GPIO_EDGE_FALLING, &cc2420_step);
    assert(error == 0);
    begin(IDLE);
}

/* ---------------------------------------------------------------- states at rest */
static void write(void)
{
    radio_state.is_cancelled = false;
    radio_state.has_transfer = true;
    driver.has_last = false;
    begin(WRITING);
    cc2420_transmit_begin();
}

static bool has_last(void)
{
    return driver.has_last && driver.last == radio_state.first &&
           radio_state.first->flags & RADIO_AGAIN;
}

/* Takes a frame from the first transfer to the air. Returns false while that holds it. */
static bool serve_transfer(void)
{
    driver.has_frame = (driver.has_frame && !radio_state.is_cancelled) || has_last();
    driver.has_last = driver.has_last && driver.has_frame;
    if (!driver.has_frame) {
        write();
    } else if (radio_state.first->flags & RADIO_HOLD) {
        return false;
    } else {
        radio_state.is_cancelled = false;
        radio_state.has_transfer = true;
        begin(READY);
    }
    return true;
}

static void set_up(void)
{
    radio_state.is_changed = false;
    cc2420_setup_registers();
    cc2420_setup_addresses();
    if (!cc2420_setup_is_there()) {
        fail(ERR_IO);
    }
}

/* To look at the channel before sending, it must listen. */
static bool is_to_receive(void)
{
    return radio_state.listens ||
           (radio_state.first != 0 && radio_state.first->flags & RADIO_IF_CLEAR);
}

static bool leave_idle(void)
{
    if (!radio_is_used()) {
        turn_off();
        return false;
    }
    if (radio_state.is_changed) {
        set_up();
    } else if (is_to_receive()) {
        (void)cc2420_strobe(SRXON);
        driver.receives = true;
        cc2420_receive_open();
        begin(SETTLING);
    } else {
        return serve_transfer();
    }
    return true;
}

static void settle(void)
{
    if (cc2420_receive_noise()) {
        begin(LISTENING);
    } else {
        wait_again();
    }
}

static void drain(enum state next)
{
    driver.drainer = (uint8_t)next;
    begin(DRAINING);
}

static void read_frame(void)
{
    uint8_t from = driver.state;

    switch (cc2420_receive_begin()) {
    case RECEIVE_MOVES:
        driver.reader = from;
        begin(READING);
        break;
    case RECEIVE_ENDED:
        break;
    case RECEIVE_UNSOUND:
        fail(ERR_IO);
        break;
    }
}

/* Empties the RXFIFO, which has a part of a frame. */
static bool flush(bool has_part)
{
    if (has_part) {
        radio_note(&radio_state.counters.corrupted);
    }
    if (!cc2420_receive_flush()) {
        fail(ERR_IO);
        return false;
    }
    return true;
}

static bool is_listening(uint8_t state)
{
    return (state >= FSM_RX_CALIBRATE && state <= FSM_RX_LAST) || state == FSM_RX_CALIBRATE_AGAIN ||
           (state >= FSM_TX_ACK_FIRST && state <= FSM_TX_ACK_LAST);
}

/* What was stuck would still say that it listens, but takes nothing. */
static void check(void)
{
    driver.is_to_check = false;
    driver.mark++;
    cc2420_write_ram(RAM_SABUF, &driver.mark, 1);
    if (cc2420_read_ram(RAM_SABUF) != driver.mark ||
        !is_listening((uint8_t)cc2420_read(FSMSTATE))) {
        fail(ERR_IO);
        return;
    }
    radio_state.failures = 0;
    cc2420_receive_keep_pace();
}

/* A frame for which there is no place stays in the radio. */
static bool leave_listening(void)
{
    enum receive_state received = cc2420_receive_look();

    if (received == RECEIVE_PART) {
        (void)flush(true);
    } else if (received != RECEIVE_NOTHING && radio_state.listens &&
               radio_state.held < RADIO_QUEUE) {
        read_frame();
    } else if (radio_state.is_changed || !is_to_receive()) {
        (void)cc2420_strobe(SRFOFF);
        driver.receives = false;
        drain(IDLE);
    } else if (radio_state.first != 0 && serve_transfer()) {
        return true;
    } else if (radio_state.measurement != 0) {
        radio_state.has_measurement = true;
        begin(MEASURING);
    } else if (driver.is_to_check) {
        check();
    } else {
        return false;
    }
    return true;
}

/* ---------------------------------------------------------------- receiving */
/* Other events run before the next piece. */
static bool yield(void)
{
    event_post(&cc2420_step);
    return false;
}

static bool read_on(void)
{
    if (cc2420_receive_move()) {
        return yield();
    }
    begin((enum state)driver.reader);
    return true;
}

/* Nothing is received meanwhile. */
static void drain_on(void)
{
    if (!gpio_read(cc2420_wiring.fifop)) {
        (void)cc2420_receive_look();
        read_frame();
        return;
    }
    if (!flush(gpio_read(cc2420_wiring.fifo))) {
        return;
    }
    begin((enum state)driver.drainer);
    if (driver.state == SENDING) {
        wait_us(cc2420_transmit_us());
    }
}

static void measure(void)
{
    if (!(cc2420_strobe(SNOP) & STATUS_RSSI_VALID)) {
        wait_again();
        return;
    }
    int8_t dbm = cc2420_receive_dbm((uint8_t)cc2420_read(RSSI));
    radio_measured(0, dbm, gpio_read(cc2420_wiring.cca));
    rest();
}

/* ---------------------------------------------------------------- sending */
static bool write_on(void)
{
    if (cc2420_transmit_move()) {
        return yield();
    }
    radio_state.has_transfer = false;
    driver.has_frame = true;
    if (radio_state.is_cancelled || !serve_transfer()) {
        rest();
    }
    return true;
}

static void end_transfer(uint8_t result)
{
    driver.last = radio_state.first;
    driver.has_last = result != ERR_IO;
    driver.has_frame = false;
    radio_sent(result);
    rest();
}

/* If a frame is being received, it is cut off. */
static void is_sending(bool cuts_off)
{
    radio_begins();
    driver.receives = true;
    radio_state.failures = 0;
    if (cuts_off) {
        drain(SENDING);
    } else {
        begin(SENDING);
        wait_us(cc2420_transmit_us());
    }
}

static void send(void)
{
    /* After an overflow SFD stays active, and nothing is received. */
    bool cuts_off = gpio_read(cc2420_wiring.sfd) && cc2420_receive_look() != RECEIVE_OVERFLOW;

    if (radio_state.is_cancelled) {
        radio_state.has_transfer = false;
        rest();
        return;
    }
    switch (cc2420_transmit_start()) {
    case TRANSMIT_SENDS:
        is_sending(cuts_off);
        break;
    case TRANSMIT_NOT_YET:
        wait_again();
        break;
    case TRANSMIT_BUSY:
        radio_note(&radio_state.counters.channel_busy);
        end_transfer(ERR_CHANNEL);
        break;
    case TRANSMIT_UNSOUND:
        fail(ERR_IO);
        break;
    }
}

static void await_sent(void)
{
    switch (cc2420_transmit_look()) {
    case TRANSMIT_SENT:
        end_transfer(0);
        break;
    case TRANSMIT_STILL:
        wait_again();
        break;
    case TRANSMIT_UNDERRUN:
        end_transfer(ERR_IO);
        break;
    case TRANSMIT_LOST:
        fail(ERR_IO);
        break;
    }
}

/* ---------------------------------------------------------------- events */
/* Takes a step. */
static bool advance(void)
{
    switch ((enum state)driver.state) {
    case OFF:
        return turn_on_if_used();
    case POWERING:
        start();
        return true;
    case STARTING:
        follow_start();
        return true;
    case IDLE:
        return leave_idle();
    case SETTLING:
        settle();
        return true;
    case LISTENING:
        return leave_listening();
    case READING:
        return read_on();
    case DRAINING:
        drain_on();
        return true;
    case MEASURING:
        measure();
        return true;
    case WRITING:
        return write_on();
    case READY:
        send();
        return true;
    case SENDING:
        await_sent();
        return true;
    case FAILED:
        break;
    }
    radio_refuse_all();
    return false;
}

static __attribute__((noinline)) void take_steps(void)
{
    bool goes_on = true;

    while (goes_on && !pause.is_set) {
        driver.steps++;
        goes_on = advance();
    }
}

/* Most steps move a piece of a frame. What others need, among it many registers, costs more than
 * that step itself. */
EVENT(cc2420_step)
{
    if (driver.state != READING || read_on()) {
        take_steps();
    }
}

/* Runs while the radio is on. */
EVENT(cc2420_watch)
{
    bool has_stood = driver.steps == driver.steps_seen;

    driver.steps_seen = driver.steps;
    switch ((enum state)driver.state) {
    case OFF:
        return;
    case FAILED:
        begin(OFF);
        event_post(&cc2420_step);
        break;
    case LISTENING:
        driver.is_to_check = true;
        event_post(&cc2420_step);
        break;
    default:
        if (has_stood) {
            fail(ERR_TIMEOUT);
        }
        break;
    }
    keep_watch();
}

void cc2420_serve(void)
{
    event_post(&cc2420_step);
}

static void cc2420_start(void)
{
    cc2420_open();
}
INIT_IN(DRIVERS, cc2420_start);
