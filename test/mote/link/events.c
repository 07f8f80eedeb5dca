/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link without threads: no thread of the program keeps it from its work. */
#include <lichen/am.h>

#include "fake_radio.h"
#include "played.h"
#include "test.h"

TEST(the_most_urgent_thread_does_not_hold_the_link_up)
{
    played_renew();
    thread_set_priority(thread_self(), PRIORITY_MAX);
    for (uint8_t i = 0; i < 3; i++) {
        expect(fake_receive(frame,
                            compose(PLAYED_OWN, PLAYED_OTHER, next_sequence++, PLAYED_TYPE, i)));
        expect_count(i);
    }
    thread_set_priority(thread_self(), PRIORITY_APP);
}
