/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The threads of the link are declared twice.
 *
 * on: hamilton
 * error: test/refused/link_threads_twice.c:13:1: redefinition of 'link_in_turn'
 * help: LINK_SECURED, LINK_THREADS and LINK_IN_TURN each declare the link's threads: write one of
 *        them, or LINK_SECURED_IN_TURN
 */
#include <lichen/link.h>
#include <lichen/thread.h>

LINK_SECURED(1, 1);
LINK_IN_TURN;

THREAD(opens, 512, PRIORITY_APP)
{
    (void)!link_open(0);
}
