/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Readings of the time.
 *
 * Law: a reading returns the time of some moment between its beginning and its end; so time neither
 * runs backwards nor gets lost.
 */
#include <lichen/time.h>

#include "long.h"
#include "reference.h"

#define LOOKS 2u

struct look {
    uint64_t before;
    uint64_t us;
    uint64_t after;
};
static struct look looks[FORCE_ACTORS][LOOKS];
static volatile uint8_t looked[FORCE_ACTORS];

static struct look look_once(void)
{
    struct look one;
    one.before = reference_now();
    one.us = time_now_us();
    one.after = reference_now();
    return one;
}

static void look(unsigned actor)
{
    for (unsigned index = 0; index < LOOKS; index++) {
        looks[actor][index] = look_once();
    }
    looked[actor] = 1;
}

static void prepare(void)
{
    moment_prepare();
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        looked[actor] = 0;
    }
}

static void check_look(const struct look *one)
{
    uint64_t tick = tick_of_reading(one->us);
    force_expect(tick >= one->before + least_ahead);
    force_expect(tick <= one->after + most_ahead);
}

static void check(void)
{
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        if (!looked[actor]) {
            continue;
        }
        for (unsigned index = 0; index < LOOKS; index++) {
            check_look(&looks[actor][index]);
        }
        force_expect(looks[actor][0].us <= looks[actor][1].us);
    }
    struct look last = look_once();
    check_look(&last);
}

static const struct force_object object = {.prepare = prepare, .check = check};

const struct force_operation operation_look = {
    .name = "look", .object = &object, .in_thread = look, .in_event = look};
