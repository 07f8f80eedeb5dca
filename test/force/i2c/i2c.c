/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The I2C bus, with transfers of threads and events, over a port that the program plays: a step of
 * a transfer ends at once, when an interrupt says so or, if none does, at the end of the run, or
 * never.
 *
 * Laws: each transfer is begun once at most, after those whose start had returned when it was
 * started; it is reported once, by its event and in the same order, or to the thread that waits,
 * with what the port has said and the bytes that the port has read; one that was cancelled, or
 * whose thread was destroyed, is not reported. Only one that the port does not watch times out, and
 * only when its patience has passed since it was begun, and not much later, whatever became of the
 * one before. A mote that has nothing to do on the bus sleeps deeply.
 */
#include <lichen/event.h>
#include <lichen/i2c.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "port.h"

enum {
    ADDRESSES = 2,
    LEAST_TICKS = TIME_TICKS_OF_US(50000),
    /* 50 ms, and 1 ms for each byte and address; then the event runs. */
    MOST_TICKS = TIME_TICKS_OF_US(50000 + 1000 * (PORT_OUT_BYTES + PORT_IN_BYTES + ADDRESSES)),
    SLACK_TICKS = TIME_TICKS_OF_US(3000),
    STEPS_MAX = 40, /* of the conductor, until all transfers have ended */
    STEP_MS = 40,
    RUN_MS = 2000,
};

/* What an actor has done and met; written by the actor, or by the event. */
static struct i2c_transfer transfers[FORCE_ACTORS + 1][PORT_KINDS];
static uint8_t in[PORT_TRANSFERS][PORT_IN_BYTES];
static uint8_t out[PORT_TRANSFERS];
static volatile uint8_t begun[PORT_TRANSFERS];   /* its start has returned; or it waits */
static volatile uint16_t before[PORT_TRANSFERS]; /* those that had been begun then, one bit each */
static volatile uint8_t cancelled[PORT_TRANSFERS], reported[PORT_TRANSFERS];
static volatile uint8_t result[PORT_TRANSFERS];
static volatile uint8_t place[PORT_TRANSFERS]; /* among those that events report; 0: none does */
static uint8_t places;
static volatile force_ticks_t took[PORT_TRANSFERS];
static const struct port_manner *manner;

_Static_assert(PORT_TRANSFERS <= 16, "a bit of `before` each");

static unsigned transfer_of(unsigned actor, enum port_kind kind)
{
    return actor * PORT_KINDS + (unsigned)kind;
}

static void note_begun_before(unsigned transfer)
{
    unsigned all = 0;

    for (unsigned other = 0; other < PORT_TRANSFERS; other++) {
        all |= (unsigned)begun[other] << other;
    }
    before[transfer] = (uint16_t)all;
}

static void note_end(unsigned transfer, int error)
{
    took[transfer] = (force_ticks_t)(force_ticks() - port_records[transfer].begun);
    result[transfer] = (uint8_t)error;
    reported[transfer]++;
}

/* -------- operations */

static void end(unsigned actor, enum port_kind kind)
{
    const struct i2c_transfer *transfer = &transfers[actor][kind];

    note_end(transfer_of(actor, kind), transfer->result);
    place[transfer_of(actor, kind)] = ++places;
    force_expect(!transfer->active);
}

enum { FORCE_conductor = FORCE_CONDUCTOR };

#define ENDED(actor, name)                                                                         \
    EVENT(read_by_##actor)                                                                         \
    {                                                                                              \
        end(FORCE_##actor, PORT_READ);                                                             \
    }                                                                                              \
    EVENT(written_by_##actor)                                                                      \
    {                                                                                              \
        end(FORCE_##actor, PORT_WRITE);                                                            \
    }
FORCE_EACH_ACTOR(ENDED, )
ENDED(conductor, )

#define ENDED_OF(actor, name) {&read_by_##actor, &written_by_##actor},
static struct event *const ended[FORCE_ACTORS + 1][2] = {FORCE_EACH_ACTOR(ENDED_OF, )
                                                             ENDED_OF(conductor, )};

static void start(unsigned actor, enum port_kind kind)
{
    unsigned number = transfer_of(actor, kind);
    struct i2c_transfer *transfer = &transfers[actor][kind];
    bool reads = kind == PORT_READ;

    *transfer = (struct i2c_transfer){
        .address = (uint8_t)(PORT_FIRST_ADDRESS + number),
        .out = &out[number],
        .out_length = reads ? 0 : PORT_OUT_BYTES,
        .in = in[number],
        .in_length = reads ? PORT_IN_BYTES : 0,
        .ended = ended[actor][kind],
    };
    note_begun_before(number);
    force_expect(i2c_start(transfer) == 0);
    begun[number] = 1;
}

static void pair(unsigned actor)
{
    start(actor, PORT_READ);
    start(actor, PORT_WRITE);
}

static void wait(unsigned actor)
{
    unsigned number = transfer_of(actor, PORT_BOTH);

    note_begun_before(number);
    note_end(number, i2c_write_read((uint8_t)(PORT_FIRST_ADDRESS + number), &out[number],
                                    PORT_OUT_BYTES, in[number], PORT_IN_BYTES));
    begun[number] = 1;
}

static void cancel_one(unsigned actor, enum port_kind kind)
{
    int error = i2c_cancel(&transfers[actor][kind]);

    force_expect(error == 0 || error == ERR_EMPTY);
    if (error == 0) {
        cancelled[transfer_of(actor, kind)]++;
    }
}

/* One that may wait, and the first one. */
static void cancel(unsigned actor __attribute__((unused)))
{
    cancel_one(FORCE_STRETCH, PORT_WRITE);
    cancel_one(FORCE_CONDUCTOR, PORT_READ);
}

/* A thread that waits, and is destroyed. Its transfer is the conductor's third. */
THREAD_STOPPED(victim, FORCE_STACK, PRIORITY_APP + 1)
{
    wait(FORCE_CONDUCTOR);
}

static void destroy(unsigned actor __attribute__((unused)))
{
    unsigned number = transfer_of(FORCE_CONDUCTOR, PORT_BOTH);

    thread_destroy(&victim);
    if (reported[number]) {
        begun[number] = 1;
    } else {
        cancelled[number] = 1;
    }
}

static void go_on(unsigned actor __attribute__((unused)))
{
    port_answer(PORT_GOES_ON);
}

static void refuse(unsigned actor __attribute__((unused)))
{
    port_answer(PORT_REFUSES);
}

static void lose(unsigned actor __attribute__((unused)))
{
    port_answer(PORT_IS_LOST);
}

/* -------- states */

static const struct port_manner at_once = {.answers_at_once = true};
static const struct port_manner slowly = {.is_watched = true, .reads_by_bytes = true};
static const struct port_manner never = {0};

static const struct force_operation op_destroy;

static bool is_to_be_destroyed(void)
{
    bool is = false;

    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        is |= force_acts(actor, &op_destroy);
    }
    return is;
}

static void enter(const struct port_manner *as)
{
    manner = as;
    port_prepare(manner);
    start(FORCE_CONDUCTOR, PORT_READ);
    if (is_to_be_destroyed()) {
        force_expect(thread_start(&victim, 0) == 0);
    }
}

static void enter_quick(void)
{
    enter(&at_once);
}

static void enter_slow(void)
{
    enter(&slowly);
}

static void enter_silent(void)
{
    enter(&never);
}

static const struct force_state quick = {.name = "quick", .enter = enter_quick};
static const struct force_state slow = {.name = "slow", .enter = enter_slow};
static const struct force_state silent = {
    .name = "silent", .enter = enter_silent, .lasts_ms = RUN_MS, .alone = true};
const struct force_state *const force_states[] = {&quick, &slow, &silent};

/* -------- the object */

static unsigned steps;

static void prepare(void)
{
    steps = places = 0;
    for (unsigned number = 0; number < PORT_TRANSFERS; number++) {
        begun[number] = cancelled[number] = reported[number] = place[number] = 0;
        before[number] = 0;
        out[number] = port_byte(number, 0);
        in[number][0] = in[number][PORT_IN_BYTES - 1] = 0;
    }
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        transfers[actor][PORT_READ].active = transfers[actor][PORT_WRITE].active = false;
    }
}

/* A thread that waits has begun its transfer, or is behind others that have. */
static bool are_all_over(void)
{
    for (unsigned number = 0; number < PORT_TRANSFERS; number++) {
        if (port_records[number].number != 0 && !reported[number] && !cancelled[number]) {
            return false;
        }
    }
    return true;
}

static bool settle(void)
{
    if (are_all_over() || steps == STEPS_MAX) {
        force_expect(steps < STEPS_MAX);
        return false;
    }
    steps++;
    if (manner == &never) {
        sleep_ms(STEP_MS);
    } else {
        port_answer(PORT_GOES_ON);
    }
    return true;
}

static void check_result(unsigned number)
{
    const struct port_record *record = &port_records[number];

    force_expect(reported[number] == 1);
    if (result[number] == ERR_TIMEOUT) {
        force_expect(!manner->is_watched);
        force_expect(took[number] >= LEAST_TICKS);
        force_expect(took[number] <= MOST_TICKS + SLACK_TICKS);
        return;
    }
    force_expect(result[number] == record->said);
    if (result[number] == 0 && number % PORT_KINDS != PORT_WRITE) {
        force_expect(in[number][0] == port_byte(number, 0));
        force_expect(in[number][1] == port_byte(number, 1));
    }
    if (result[number] == 0 && number % PORT_KINDS != PORT_READ) {
        force_expect(record->sent == PORT_OUT_BYTES);
    }
}

/* One that was cancelled while it waited was not begun. */
static void check_order(unsigned number)
{
    for (unsigned other = 0; other < PORT_TRANSFERS; other++) {
        if ((before[number] >> other & 1u) != 0) {
            force_expect(port_records[number].number == 0 ||
                         port_records[other].number < port_records[number].number);
            force_expect(place[number] == 0 || place[other] < place[number]);
        }
    }
}

static void check_transfer(unsigned number)
{
    if (cancelled[number]) {
        force_expect(cancelled[number] == 1);
        force_expect(reported[number] == 0);
    } else if (begun[number]) {
        check_result(number);
    } else {
        force_expect(reported[number] == 0 && port_records[number].number == 0);
    }
    check_order(number);
}

static void check(void)
{
    for (unsigned number = 0; number < PORT_TRANSFERS; number++) {
        check_transfer(number);
    }
    force_check_limits();
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        force_check_event(ended[actor][PORT_READ]);
        force_check_event(ended[actor][PORT_WRITE]);
    }
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static const struct force_operation op_wait = {
    .name = "wait", .object = &object, .in_thread = wait};
static const struct force_operation op_pair = {
    .name = "pair", .object = &object, .in_thread = pair, .in_event = pair};
static const struct force_operation op_cancel = {
    .name = "cancel", .object = &object, .in_thread = cancel, .in_event = cancel};
static const struct force_operation op_destroy = {
    .name = "destroy", .object = &object, .in_thread = destroy};
static const struct force_operation op_go_on = {
    .name = "go_on", .object = &object, .in_interrupt = FORCE_ALL_LEVELS(go_on)};
static const struct force_operation op_refuse = {
    .name = "refuse", .object = &object, .in_interrupt = FORCE_ALL_LEVELS(refuse)};
static const struct force_operation op_lose = {
    .name = "lose", .object = &object, .in_interrupt = FORCE_ALL_LEVELS(lose)};
const struct force_operation *const force_operations[] = {
    &op_wait, &op_pair, &op_cancel, &op_destroy, &op_go_on, &op_refuse, &op_lose};
