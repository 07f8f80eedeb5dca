/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Halves and others of three levels. */
#include "../pairs.h"
#include "software_interrupt.h"
#include "test.h"

TEST(what_lies_between_two_halves_keeps_its_place)
{
    prepare();
    posts_of(2, "pa");
    posts_of(1, "x");
    posts_of(0, "b");
    software_interrupts(SOFTWARE_LEVELS);
    expect(ran("(ab)xp"));
}
