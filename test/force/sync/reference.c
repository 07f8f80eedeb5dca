/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A reference counter. While a thread may wait for it, the conductor holds a reference, too, until
 * all others are through.
 *
 * Laws: a wait returns when there is no reference, not before; a wait with a deadline ends by one
 * of the two; in the end there is no reference.
 */
#include <lichen/reference.h>

#include "operations.h"

REFERENCE(uses);

static volatile uint8_t in_use;                    /* by the conductor */
static volatile uint8_t waits[FORCE_ACTORS];       /* without a deadline, at present */
static volatile uint8_t waits_until[FORCE_ACTORS]; /* with one, at present */

static void use(unsigned actor __attribute__((unused)))
{
    force_expect(reference_take(&uses) == 0);
    force_expect(uses.count > 0);
    reference_give(&uses);
}

static void unused(unsigned actor)
{
    waits[actor] = 1;
    reference_wait(&uses);
    waits[actor] = 0;
    force_expect(!in_use);
}

static void unused_until(unsigned actor)
{
    waits_until[actor] = 1;
    int error = reference_wait_until(&uses, soon);
    waits_until[actor] = 0;
    force_expect(error == ERR_TIMEOUT || (error == 0 && !in_use));
    over();
}

static void prepare(void)
{
    bool waited_for = false;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        waits[actor] = 0;
        waits_until[actor] = 0;
        bool until = force_acts(actor, &operation_unused_until);
        if (until) {
            soon_prepare();
        }
        waited_for |= until || force_acts(actor, &operation_unused);
    }
    if (waited_for) {
        force_expect(reference_take(&uses) == 0);
        in_use = 1;
    }
}

static bool settle(void)
{
    if (force_sum(waits_until, FORCE_ACTORS) > 0) {
        over_wait();
        return true;
    }
    if (!in_use) {
        return false;
    }
    in_use = 0;
    reference_give(&uses);
    return true;
}

static void check(void)
{
    force_expect(force_sum(waits, FORCE_ACTORS) == 0);
    force_expect(uses.count == 0 && uses.waiting == 0 && !in_use);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_use = {
    .name = "use", .object = &object, .in_thread = use, .in_event = use};
const struct force_operation operation_unused = {
    .name = "unused", .object = &object, .in_thread = unused};
const struct force_operation operation_unused_until = {
    .name = "unused_until", .object = &object, .in_thread = unused_until};
