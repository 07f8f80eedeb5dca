/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An access to the channel that lacks two of its functions, so the system's is linked, too.
 *
 * on: hamilton
 * error: test/refused/link_access_in_part.c:14: `link_access' is a name of the system, and is
 *        defined here again
 * help: a program with an access to the channel of its own defines all of link_access,
 *        link_access_give_up and link_acknowledged: lichen/link_access.h
 */
#include <lichen/am.h>
#include <lichen/link_access.h>
#include <lichen/thread.h>

void link_access(struct link_sending *sending)
{
    link_access_ended(sending, 0);
}

THREAD(talker, 512, PRIORITY_APP)
{
    if (link_open(0) == 0) {
        (void)!am_send(AM_ALL, 1, 0, 0);
    }
}
