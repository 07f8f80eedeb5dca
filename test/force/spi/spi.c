/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A SPI bus with two devices of different settings, for threads and events, over a port that the
 * program plays: a piece of a transfer ends at once, when an interrupt says so or, if none does, at
 * the end of the run.
 *
 * Laws: each transfer is begun once at most, after those whose start had returned when it was
 * started, with its device selected and no other one, and with the device's settings; its pieces
 * follow each other. It is reported once, by its event and in the same order, or to the thread that
 * waits, with what the port has said and the bytes that the port has received; one that was
 * cancelled, or whose thread was destroyed, is not reported. Afterwards no device is selected, and
 * the mote sleeps deeply.
 */
#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/spi.h>
#include <lichen/thread.h>

#include "port.h"

enum {
    STEPS_MAX = 60, /* of the conductor, until all transfers have ended */
    STARTED_KINDS = PORT_WAITS,
};

_Static_assert(PORT_TRANSFERS <= 32, "a bit of `before` each");

/* What an actor has done and met; written by the actor, or by the event. */
static struct spi_transfer transfers[FORCE_ACTORS + 1][STARTED_KINDS];
static volatile uint8_t begun[PORT_TRANSFERS]; /* its start, or the wait for it, has returned */
static volatile uint8_t waits[FORCE_ACTORS + 1];
static volatile uint32_t before[PORT_TRANSFERS]; /* those that had been begun then, one bit each */
static volatile uint8_t cancelled[PORT_TRANSFERS], reported[PORT_TRANSFERS];
static volatile uint8_t result[PORT_TRANSFERS];
static volatile uint8_t place[PORT_TRANSFERS]; /* among those that events report; 0: none does */
static uint8_t places;

static unsigned transfer_of(unsigned actor, unsigned kind)
{
    return actor * PORT_KINDS + kind;
}

static void note_begun_before(unsigned number)
{
    uint32_t all = 0;

    for (unsigned other = 0; other < PORT_TRANSFERS; other++) {
        all |= (uint32_t)begun[other] << other;
    }
    before[number] = all;
}

static void note_end(unsigned number, int error)
{
    result[number] = (uint8_t)error;
    reported[number]++;
}

/* -------- operations */

static void end(unsigned actor, unsigned kind)
{
    const struct spi_transfer *transfer = &transfers[actor][kind];
    unsigned number = transfer_of(actor, kind);

    note_end(number, transfer->result);
    place[number] = ++places;
    force_expect(!transfer->active);
}

enum { FORCE_conductor = FORCE_CONDUCTOR };

#define ENDED(actor, kind)                                                                         \
    EVENT(ended_##kind##_of_##actor)                                                               \
    {                                                                                              \
        end(FORCE_##actor, kind);                                                                  \
    }
#define ENDED_ALL(actor, name)                                                                     \
    ENDED(actor, PORT_THEN) ENDED(actor, PORT_AT_ONCE) ENDED(actor, PORT_EMPTY)
FORCE_EACH_ACTOR(ENDED_ALL, )
ENDED_ALL(conductor, )

#define ENDED_OF(actor, name)                                                                      \
    {&ended_PORT_THEN_of_##actor, &ended_PORT_AT_ONCE_of_##actor, &ended_PORT_EMPTY_of_##actor},
static struct event *const ended[FORCE_ACTORS + 1][STARTED_KINDS] = {FORCE_EACH_ACTOR(ENDED_OF, )
                                                                         ENDED_OF(conductor, )};

static void start(unsigned actor, unsigned kind)
{
    unsigned number = transfer_of(actor, kind);
    struct spi_transfer *transfer = &transfers[actor][kind];

    *transfer = (struct spi_transfer){
        .device = port_device(number),
        .out = port_out[number],
        .out_length = kind == PORT_EMPTY ? 0 : PORT_BYTES,
        .in = port_in[number],
        .in_length = kind == PORT_EMPTY ? 0 : PORT_BYTES,
        .at_once = kind == PORT_AT_ONCE,
        .ended = ended[actor][kind],
    };
    note_begun_before(number);
    force_expect(spi_start(transfer) == 0);
    begun[number] = 1;
}

static void start_all(unsigned actor)
{
    start(actor, PORT_THEN);
    start(actor, PORT_EMPTY);
    start(actor, PORT_AT_ONCE);
}

static void wait(unsigned actor)
{
    unsigned number = transfer_of(actor, PORT_WAITS);
    const struct spi_device *device = port_device(number);
    const uint8_t *out = port_out[number];
    uint8_t *in = port_in[number];

    note_begun_before(number);
    waits[actor] = 1;
    note_end(number, actor == FORCE_STRETCH
                         ? spi_write_read(device, out, PORT_BYTES, in, PORT_BYTES)
                         : spi_exchange(device, out, in, PORT_BYTES));
    waits[actor] = 0;
    begun[number] = 1;
}

static void cancel_one(unsigned actor, unsigned kind)
{
    int error = spi_cancel(&transfers[actor][kind]);

    force_expect(error == 0 || error == ERR_EMPTY);
    if (error == 0) {
        cancelled[transfer_of(actor, kind)]++;
    }
}

/* Some that may wait, and the first one. */
static void cancel(unsigned actor __attribute__((unused)))
{
    cancel_one(FORCE_STRETCH, PORT_AT_ONCE);
    cancel_one(FORCE_STRETCH, PORT_EMPTY);
    cancel_one(FORCE_CONDUCTOR, PORT_THEN);
}

/* A thread that waits, and is destroyed. Its transfer is the conductor's last one. */
THREAD_STOPPED(victim, FORCE_STACK, PRIORITY_APP + 1)
{
    wait(FORCE_CONDUCTOR);
}

static void destroy(unsigned actor __attribute__((unused)))
{
    unsigned number = transfer_of(FORCE_CONDUCTOR, PORT_WAITS);

    thread_destroy(&victim);
    waits[FORCE_CONDUCTOR] = 0;
    if (reported[number]) {
        begun[number] = 1;
    } else {
        cancelled[number] = 1;
    }
}

static void go_on(unsigned actor __attribute__((unused)))
{
    port_answer(PORT_HAS_MOVED);
}

static void fail(unsigned actor __attribute__((unused)))
{
    port_answer(PORT_FAILS);
}

/* -------- states */

static const struct force_operation op_destroy;

static bool is_to_be_destroyed(void)
{
    bool is = false;

    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        is |= force_acts(actor, &op_destroy);
    }
    return is;
}

static void enter(bool answers_at_once)
{
    port_prepare(answers_at_once);
    start(FORCE_CONDUCTOR, PORT_THEN);
    if (is_to_be_destroyed()) {
        force_expect(thread_start(&victim, 0) == 0);
    }
}

static void enter_quick(void)
{
    enter(true);
}

static void enter_slow(void)
{
    enter(false);
}

static const struct force_state quick = {.name = "quick", .enter = enter_quick};
static const struct force_state slow = {.name = "slow", .enter = enter_slow};
const struct force_state *const force_states[] = {&quick, &slow};

/* -------- the object */

static unsigned steps;

static void prepare(void)
{
    steps = places = 0;
    for (unsigned number = 0; number < PORT_TRANSFERS; number++) {
        begun[number] = cancelled[number] = reported[number] = place[number] = 0;
        before[number] = 0;
    }
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        waits[actor] = 0;
        for (unsigned kind = 0; kind < STARTED_KINDS; kind++) {
            transfers[actor][kind].active = false;
        }
    }
}

static bool are_all_over(void)
{
    for (unsigned number = 0; number < PORT_TRANSFERS; number++) {
        if (begun[number] && !reported[number] && !cancelled[number]) {
            return false;
        }
    }
    return force_sum(waits, FORCE_ACTORS + 1) == 0;
}

static bool settle(void)
{
    if (are_all_over() || steps == STEPS_MAX) {
        force_expect(steps < STEPS_MAX);
        return false;
    }
    steps++;
    port_answer(PORT_HAS_MOVED);
    return true;
}

static void check_result(unsigned number)
{
    bool is_empty = number % PORT_KINDS == PORT_EMPTY;

    force_expect(reported[number] == 1);
    force_expect(result[number] == (is_empty ? 0 : port_records[number].said));
    for (unsigned index = 0; result[number] == 0 && !is_empty && index < PORT_BYTES; index++) {
        force_expect(port_in[number][index] == port_in_byte(number, index));
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
    for (unsigned device = 0; device < 2; device++) {
        force_expect(gpio_read(port_devices[device].select));
    }
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        for (unsigned kind = 0; kind < STARTED_KINDS; kind++) {
            force_check_event(ended[actor][kind]);
        }
    }
    force_check_limits();
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static const struct force_operation op_wait = {
    .name = "wait", .object = &object, .in_thread = wait};
static const struct force_operation op_start = {
    .name = "start", .object = &object, .in_thread = start_all, .in_event = start_all};
static const struct force_operation op_cancel = {
    .name = "cancel", .object = &object, .in_thread = cancel, .in_event = cancel};
static const struct force_operation op_destroy = {
    .name = "destroy", .object = &object, .in_thread = destroy};
static const struct force_operation op_go_on = {
    .name = "go_on", .object = &object, .in_interrupt = FORCE_ALL_LEVELS(go_on)};
static const struct force_operation op_fail = {
    .name = "fail", .object = &object, .in_interrupt = FORCE_ALL_LEVELS(fail)};
const struct force_operation *const force_operations[] = {&op_wait,    &op_start, &op_cancel,
                                                          &op_destroy, &op_go_on, &op_fail};
