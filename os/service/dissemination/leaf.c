/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A leaf, whose radio sleeps: DISSEMINATION_LEAF links it. Whenever another mote would announce
 * what it has, a leaf asks its parent whether that has something else, and listens for a moment.
 *
 *     asleep --question--> awake --no answer--> asleep
 *                           |  ^
 *                    answer |  | intervals are the shortest, or parts are asked for or sent
 *                           +--+
 *
 * While it is awake, it is a mote like any other. It stays so until it has nothing to do, and an
 * interval has passed in which nobody had anything else.
 */
#include <lichen/timer.h>

#include "service/dissemination/dissemination.h"

enum { QUESTION_INTERVALS = 4 }; /* of the longest ones: a question in each fourth */

EVENT_EXTERN(dissemination_nods);
static TIMER(listening, dissemination_nods);

static void listen_on(void)
{
    (void)!timer_arm_after(&listening, (uint32_t)dissemination_answer_time << 10);
}

static bool is_busy(void)
{
    return dissemination_state.interval == INTERVAL_LEAST || dissemination_is_armed(DUE_REQUEST) ||
           dissemination_is_armed(DUE_PART);
}

EVENT(dissemination_nods)
{
    if (is_busy()) {
        listen_on();
    } else {
        link_stay_awake(false);
    }
}

/* Whether this interval has a question. */
static bool is_turn(void)
{
    static uint8_t longest;

    if (dissemination_state.interval < INTERVAL_MOST) {
        longest = 0;
        return true;
    }
    longest = (uint8_t)((longest + 1u) % QUESTION_INTERVALS);
    return longest == 0;
}

/* One that is not acknowledged has no answer, but is repeated by the link while it listens. */
static void ask(uint16_t parent, uint8_t *bytes)
{
    uint16_t tag =
        dissemination_state.is_complete ? dissemination_tag(&dissemination_state.object) : 0;

    bytes[0] = KIND_QUESTION >> 8;
    bytes[1] = 0;
    bytes[2] = (uint8_t)(tag >> 8);
    bytes[3] = (uint8_t)tag;
    (void)timer_cancel(&listening);
    link_stay_awake(true);
    (void)!am_send(parent, DISSEMINATION_TYPE, bytes, QUESTION_BYTES);
    listen_on();
}

void dissemination_announce_of_leaf(uint8_t *bytes)
{
    struct link_address parent;

    if (link_parent(&parent) != 0) {
        dissemination_announce_usual(bytes);
    } else if (dissemination_state.heard == 0 && !dissemination_is_armed(DUE_REQUEST) &&
               is_turn()) {
        ask(parent.short_address, bytes);
    }
}
