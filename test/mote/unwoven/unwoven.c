/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The program of test/mote/woven, built without woven pairs: every event runs as itself. */
#include "../woven/pairs.h"
#include "software_interrupt.h"
#include "test.h"

TEST(pairs_run_one_after_the_other)
{
    prepare();
    post_in_event("ab");
    expect(ran("ab"));
    prepare();
    post_in_event("dcpbax");
    expect(ran("dcpbax"));
}

TEST(so_do_those_of_interrupts)
{
    prepare();
    posts_of(LEVEL_DRIVER, "xa");
    posts_of(0, "b");
    software_interrupts(1u << LEVEL_DRIVER | 1u << 0);
    expect(ran("bxa"));
}
