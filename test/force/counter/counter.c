/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A counter, which several threads use.
 *
 * Laws: no number is taken twice, and one that is taken after another is larger, also after a
 * restart; after a reservation half a block is there, and none is refused.
 */
#include <lichen/counter.h>

#include "../storage/storage.h"

/* So many does each actor take. */
enum { NUMBERS_EACH = 3 };

COUNTER(counter);

static volatile uint32_t taken[FORCE_ACTORS][NUMBERS_EACH]; /* by each; 0: not taken */
static volatile uint32_t highest_before[FORCE_ACTORS];      /* of all, when it began */
static volatile uint8_t reserved[FORCE_ACTORS];
static uint32_t first; /* none was taken below, and 0 is none of them */

static uint32_t highest(void)
{
    uint32_t most = 0;

    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        for (unsigned index = 0; index < NUMBERS_EACH; index++) {
            uint32_t number = taken[actor][index];
            most = number > most ? number : most;
        }
    }
    return most;
}

static void take(unsigned actor)
{
    uint8_t is_reserved = (uint8_t)force_sum(reserved, FORCE_ACTORS);
    uint32_t number;

    highest_before[actor] = highest();
    for (unsigned index = 0; index < NUMBERS_EACH; index++) {
        int error = counter_take(&counter, &number);
        if (error == 0) {
            taken[actor][index] = number;
        } else {
            force_expect(error == ERR_EMPTY && !is_reserved);
        }
    }
}

static void reserve(unsigned actor)
{
    force_expect(counter_reserve(&counter) == 0);
    reserved[actor] = 1;
}

static void restart(void)
{
    played_restart();
    counter.is_open = false;
    counter.next = counter.limit = 0;
}

static void enter_closed(void)
{
    force_expect(counter_reserve(&counter) == 0);
    restart();
}

/* All but two have been taken. */
static void enter_used(void)
{
    force_expect(counter_reserve(&counter) == 0);
    counter.next = counter.limit - 2u;
    first = counter.next;
}

static bool is_taken_again(unsigned of, unsigned index)
{
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        for (unsigned other = 0; other < NUMBERS_EACH; other++) {
            bool is_same = actor == of && other == index;
            if (!is_same && taken[actor][other] == taken[of][index]) {
                return true;
            }
        }
    }
    return false;
}

static void check_actor(unsigned actor)
{
    uint32_t last = highest_before[actor];

    for (unsigned index = 0; index < NUMBERS_EACH; index++) {
        uint32_t number = taken[actor][index];
        if (number != 0) {
            force_expect(number >= first && number > last);
            force_expect(!is_taken_again(actor, index));
            last = number;
        }
    }
}

static void check(void)
{
    uint32_t number = 0;

    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        check_actor(actor);
    }
    if (force_sum(reserved, FORCE_ACTORS) > 0) {
        force_expect(counter.limit - counter.next >=
                     COUNTER_BLOCK / 2 - FORCE_ACTORS * NUMBERS_EACH);
    }
    restart();
    force_expect(counter_reserve(&counter) == 0 && counter_take(&counter, &number) == 0);
    force_expect(number > highest());
}

static const struct force_state closed = {.name = "closed", .enter = enter_closed};
static const struct force_state used = {.name = "used", .enter = enter_used};
const struct force_state *const force_states[] = {&closed, &used};

static const struct force_object object = {
    .prepare = played_renew, .settle = storage_settle, .check = check};

static const struct force_operation op_take = {
    .name = "take", .object = &object, .in_thread = take};
static const struct force_operation op_reserve = {
    .name = "reserve", .object = &object, .in_thread = reserve};
const struct force_operation *const force_operations[] = {&op_take, &op_reserve};
