/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Alarms in microseconds, near and far ones, which are set and cancelled while others become due
 * and interrupts keep the processor.
 *
 * Laws: an alarm fires once if it was set and not cancelled; never early, and hardly late, also
 * after an interrupt that took long; alarms fire in the order of their times. One that was set is
 * busy, one that has fired or was cancelled can be set again. A thread that sleeps exactly returns
 * in time. Afterwards the counter stands, and the mote sleeps deeply.
 */
#include <lichen/alarm.h>
#include <lichen/event.h>
#include <lichen/time.h>

#include "fine.h"
#include "force.h"

enum {
    NEAR_US = 300,
    BEFORE_US = 700, /* the conductor's near one, which was set before */
    SLEEP_US = 400,
    FAR_US = ALARM_MAX_US,
    HOLD_US = 6000, /* with a far alarm more than half of the counter's range */
    LATE_US = 2500, /* handlers and events of others included */
    STEP_MS = 10,
    STEPS_MAX = 8, /* all alarms have fired by then, before the clock of the laws wraps */
    RUN_MS = 200,
};

enum which { NEAR = 0, FAR, ALARMS };

/* What an alarm must do, and what it did. Times are counts since the run began. */
struct course {
    uint16_t earliest, latest; /* when it is due, as far as its actor knows */
    uint16_t fired;
    uint8_t sets, cancels, fires;
    uint8_t number; /* which of all that fired it was */
};
static volatile struct course courses[FORCE_ACTORS + 1][ALARMS];

static uint16_t begun;
static volatile uint8_t sleeps[FORCE_ACTORS], held;
static uint8_t numbers; /* written by events */

static uint16_t now(void)
{
    return (uint16_t)(fine_now() - begun);
}

static void fire(unsigned actor, enum which which)
{
    volatile struct course *course = &courses[actor][which];

    course->fired = now();
    course->number = ++numbers;
    course->fires++;
}

enum { FORCE_conductor = FORCE_CONDUCTOR };

#define ALARMS_OF(actor, name)                                                                     \
    EVENT(near_fires_##actor)                                                                      \
    {                                                                                              \
        fire(FORCE_##actor, NEAR);                                                                 \
    }                                                                                              \
    EVENT(far_fires_##actor)                                                                       \
    {                                                                                              \
        fire(FORCE_##actor, FAR);                                                                  \
    }                                                                                              \
    static ALARM(near_##actor, near_fires_##actor);                                                \
    static ALARM(far_##actor, far_fires_##actor);
FORCE_EACH_ACTOR(ALARMS_OF, )
ALARMS_OF(conductor, )

#define NAMES_OF(actor, name) {&near_##actor, &far_##actor},
static struct alarm *const alarms[FORCE_ACTORS + 1][ALARMS] = {FORCE_EACH_ACTOR(NAMES_OF, )
                                                                   NAMES_OF(conductor, )};

/* -------- operations */

static void begin(unsigned actor, enum which which, uint16_t us)
{
    volatile struct course *course = &courses[actor][which];
    uint16_t earliest = (uint16_t)(now() + FINE_OF_US(us));

    /* It may fire at once. */
    course->earliest = earliest;
    course->sets++;
    force_expect(alarm_set(alarms[actor][which], us) == 0);
    course->latest = (uint16_t)(now() + FINE_OF_US(us));
}

static void end(unsigned actor, enum which which)
{
    int error = alarm_cancel(alarms[actor][which]);

    force_expect(error == 0 || error == ERR_EMPTY);
    if (error == 0) {
        courses[actor][which].cancels++;
    }
}

/* The near one comes before the far one in the list. */
static void set(unsigned actor)
{
    begin(actor, FAR, FAR_US);
    force_expect(alarm_set(alarms[actor][FAR], NEAR_US) == ERR_BUSY);
    begin(actor, NEAR, NEAR_US);
}

static void cancel(unsigned actor __attribute__((unused)))
{
    end(FORCE_STRETCH, NEAR);
    end(FORCE_CONDUCTOR, NEAR);
}

/* As a driver that has waited long enough, and waits for something else. */
static void replace(unsigned actor)
{
    begin(actor, FAR, FAR_US);
    end(actor, FAR);
    begin(actor, FAR, NEAR_US);
}

static void sleep(unsigned actor)
{
    uint16_t before = fine_now(), took;

    sleeps[actor] = 1;
    sleep_exact_us(SLEEP_US);
    took = (uint16_t)(fine_now() - before);
    sleeps[actor] = 0;
    force_expect(took >= FINE_OF_US(SLEEP_US));
    force_expect(took <= FINE_OF_US(SLEEP_US + LATE_US + (held ? HOLD_US : 0)));
}

static void hold(unsigned actor __attribute__((unused)))
{
    held = 1;
    fine_hold(FINE_OF_US(HOLD_US));
}

/* -------- states */

static void enter_set(void)
{
    begin(FORCE_CONDUCTOR, FAR, FAR_US);
    begin(FORCE_CONDUCTOR, NEAR, BEFORE_US);
}

static const struct force_state none = {.name = "none", .lasts_ms = RUN_MS, .alone = true};
static const struct force_state some = {
    .name = "some", .enter = enter_set, .lasts_ms = RUN_MS, .alone = true};
const struct force_state *const force_states[] = {&none, &some};

/* -------- the object */

static unsigned steps;

void force_start(void)
{
    fine_start();
}

static void prepare(void)
{
    begun = fine_now();
    held = numbers = 0;
    steps = 0;
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        courses[actor][NEAR] = courses[actor][FAR] = (struct course){0};
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        sleeps[actor] = 0;
    }
}

static bool is_over(const volatile struct course *course)
{
    return course->sets == course->cancels + course->fires;
}

static bool are_all_over(void)
{
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        if (!is_over(&courses[actor][NEAR]) || !is_over(&courses[actor][FAR])) {
            return false;
        }
    }
    return force_sum(sleeps, FORCE_ACTORS) == 0;
}

static bool settle(void)
{
    if (are_all_over() || steps == STEPS_MAX) {
        force_expect(steps < STEPS_MAX);
        return false;
    }
    steps++;
    sleep_ms(STEP_MS);
    return true;
}

static void check_time(const volatile struct course *course)
{
    uint16_t late = FINE_OF_US(LATE_US + (held ? HOLD_US : 0));

    force_expect(course->fired >= course->earliest);
    late += course->latest - course->earliest;
    force_expect(course->fired - course->earliest <= late);
}

static void check_order(const volatile struct course *course)
{
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        for (unsigned which = 0; which < ALARMS; which++) {
            const volatile struct course *other = &courses[actor][which];
            bool is_later = other->fires && other->earliest > course->latest;
            force_expect(!is_later || other->number > course->number);
        }
    }
}

static void check_one(unsigned actor, enum which which)
{
    const volatile struct course *course = &courses[actor][which];

    force_expect(is_over(course) && course->fires <= 1);
    force_expect(!alarms[actor][which]->is_set);
    force_check_event(alarms[actor][which]->event);
    if (course->fires) {
        check_time(course);
        check_order(course);
    }
}

static void check(void)
{
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        check_one(actor, NEAR);
        check_one(actor, FAR);
    }
    force_check_limits();
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static const struct force_operation op_set = {
    .name = "set", .object = &object, .in_thread = set, .in_event = set};
static const struct force_operation op_cancel = {
    .name = "cancel", .object = &object, .in_thread = cancel, .in_event = cancel};
static const struct force_operation op_replace = {
    .name = "replace", .object = &object, .in_thread = replace, .in_event = replace};
static const struct force_operation op_sleep = {
    .name = "sleep", .object = &object, .in_thread = sleep};
static const struct force_operation op_hold = {
    .name = "hold", .object = &object, .in_interrupt = FORCE_ALL_LEVELS(hold)};
const struct force_operation *const force_operations[] = {&op_set, &op_cancel, &op_replace,
                                                          &op_sleep, &op_hold};
