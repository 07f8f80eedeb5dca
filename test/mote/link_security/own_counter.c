/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* This mote's counters: none is used twice, whatever fails. */
#include "../storage_faults/played_medium.h"
#include "pair.h"
#include "test.h"

TEST(nothing_is_sent_without_a_counter)
{
    renew();
    security_counter.next = security_counter.limit;
    expect_equal(send(&by_index), LINK_COUNTER_NONE);
    expect_equal(counter_reserve(security.counter), 0);
    expect_equal(send(&by_index), LINK_GOOD);
}

/* Sends until power fails. Returns the largest counter, or `before`. */
static uint32_t send_until_cut(uint32_t before)
{
    for (unsigned i = 0; i < 5 && counter_reserve(security.counter) == 0; i++) {
        while (send(&by_index) == LINK_GOOD) {
            expect(before == UINT32_MAX || header.counter > before);
            before = header.counter;
            if (security_counter.limit - security_counter.next > 3) {
                security_counter.next = security_counter.limit - 2;
            }
        }
    }
    return before;
}

TEST(no_nonce_repeats_whichever_operation_is_cut)
{
    for (uint16_t cut = 0; cut < 10; cut++) {
        for (uint16_t torn = 0; torn < 8; torn += 3) {
            renew();
            played.cut_after = cut;
            played.torn_bytes = torn;
            uint32_t last = send_until_cut(UINT32_MAX);
            restart();
            expect_equal(link_key_set(&security, &by_index, key, LINK_LEVELS_USUAL), 0);
            expect(send_until_cut(last) != last);
        }
    }
}
