/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Woven pairs: which handler runs, how often, and where in the order. */
#include <lichen/woven.h>

#include "pairs.h"
#include "software_interrupt.h"
#include "test.h"

static void expect_order(const char *letters, const char *expected)
{
    prepare();
    post_in_event(letters);
    expect(ran(expected));
}

TEST(alone_each_is_itself)
{
    expect_order("a", "a");
    expect_order("b", "b");
    expect_order("ac", "ac");
    expect_order("cx", "cx");
}

TEST(both_pending_run_as_one_in_either_order)
{
    expect_order("ab", "(ab)");
    expect_order("ba", "(ab)");
    expect_order("bx", "(bx)");
    expect_order("xb", "(bx)");
}

TEST(a_pair_runs_in_the_place_of_the_first)
{
    expect_order("papb", "p(ab)"); /* p coalesces */
    expect_order("apb", "(ab)p");
    expect_order("bpa", "(ab)p");
    expect_order("cadb", "(abcd)");
    expect_order("paxb", "p(ab)x");
}

TEST(an_event_of_two_pairs_takes_the_first_by_name)
{
    expect_order("bax", "(ab)x");
    expect_order("xba", "(bx)a"); /* x comes first, and has only one pair */
    expect_order("axb", "(ab)x");
}

TEST(a_pair_is_woven_in_its_turn_whichever_comes_first)
{
    expect_order("abc", "(abc)");
    expect_order("acb", "(abc)");
    expect_order("bca", "(abc)");
    expect_order("cba", "(abc)");
    expect_order("cab", "(abc)");
    expect_order("bac", "(abc)");
    expect_order("ca", "ca");
    expect_order("cb", "cb");
}

TEST(a_chain_of_three_pairs)
{
    expect_order("abcd", "(abcd)");
    expect_order("dcba", "(abcd)");
    expect_order("cdab", "(abcd)");
    expect_order("dpab", "dp(ab)"); /* without c, d takes no part in it */
    expect_order("dab", "d(ab)");
    expect_order("dabc", "(abcd)");
}

TEST(posts_of_pending_halves_coalesce)
{
    expect_order("aabba", "(ab)");
    expect_order("abcabcd", "(abcd)");
}

TEST(interrupts_of_one_level_weave)
{
    for (unsigned level = 0; level < LEVEL_KERNEL; level++) {
        prepare();
        posts_of(level, "apb");
        software_interrupts(1u << level);
        expect(ran("(ab)p"));
        prepare();
        posts_of(level, "dcpba");
        software_interrupts(1u << level);
        expect(ran("(abcd)p"));
    }
}

/* The woven handler runs in the most urgent half's place; the entries of the other halves are void.
 */
TEST(interrupts_of_different_levels_weave)
{
    for (unsigned of_a = 0; of_a < LEVEL_KERNEL; of_a++) {
        for (unsigned of_b = 0; of_b < LEVEL_KERNEL; of_b++) {
            if (of_a != of_b) {
                prepare();
                posts_of(of_a, "a");
                posts_of(of_b, "b");
                software_interrupts(SOFTWARE_LEVELS);
                expect(ran("(ab)"));
            }
        }
    }
    prepare();
    posts_of(LEVEL_DRIVER, "xpa");
    posts_of(0, "b");
    software_interrupts(SOFTWARE_LEVELS);
    expect(ran("(ab)xp"));
}

TEST(a_half_of_several_levels_runs_once)
{
    prepare();
    posts_of(LEVEL_DRIVER, "ab");
    posts_of(LEVEL_DRIVER - 1, "ba");
    posts_of(0, "b");
    software_interrupts(SOFTWARE_LEVELS);
    expect(ran("(ab)"));
}

/* An event posts a and is interrupted by a post of b, and the other way round. */
static const char *interrupted_letters;
EVENT(is_interrupted)
{
    event_post(interrupted_letters[0] == 'a' ? &a : &b);
    event_post(&plain);
    software_interrupts(1u << LEVEL_DRIVER);
}

TEST(a_post_at_the_kernels_level_weaves_with_one_of_an_interrupt)
{
    static const char *const letters[] = {"ab", "ba"};
    for (unsigned i = 0; i < 2; i++) {
        prepare();
        interrupted_letters = letters[i];
        posts_of(LEVEL_DRIVER, letters[i] + 1);
        event_post(&is_interrupted);
        expect(ran("(ab)p"));
    }
}

TEST(a_thread_posts_one_after_the_other_and_each_runs_alone)
{
    prepare();
    event_post(&a);
    event_post(&b);
    expect(ran("ab"));
}

TEST(posts_made_by_the_woven_handler_are_new)
{
    prepare();
    inside_ab = "a";
    post_in_event("ab");
    expect(ran("(ab)a"));
    prepare();
    inside_ab = "ba";
    post_in_event("ab");
    expect(ran("(ab)(ab)"));
    prepare();
    inside_ab = "cab";
    post_in_event("abp");
    expect(ran("(ab)(abc)p")); /* b's old place comes before p's */
}

TEST(posts_of_an_interrupt_during_the_woven_run_are_new)
{
    prepare();
    inside_by_interrupt = true;
    inside_ab = "bpa";
    post_in_event("ab");
    expect(ran("(ab)(ab)p"));
    prepare();
    inside_by_interrupt = true;
    inside_ab = "b";
    post_in_event("abp");
    expect(ran("(ab)bp"));
}

/* The second half still has an entry, behind p: posted again, it runs there, before q. */
TEST(a_half_posted_again_takes_its_old_place)
{
    prepare();
    inside_ab = "xb";
    post_in_event("apbd");
    expect(ran("(ab)p(bx)d"));
}

TEST(many_turns_lose_nothing)
{
    for (unsigned i = 0; i < 600; i++) {
        prepare();
        posts_of(LEVEL_DRIVER, "ca");
        posts_of(0, i % 2 ? "b" : "p");
        software_interrupts(SOFTWARE_LEVELS);
        expect(ran(i % 2 ? "(abc)" : "pca"));
    }
}
