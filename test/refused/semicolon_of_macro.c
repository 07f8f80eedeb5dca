/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A semaphore without a semicolon.
 *
 * error: test/refused/semicolon_of_macro.c:11: a ; is missing at the end of
 *        this line
 * help: declarations end with it, by macros and of structures, too
 */
#include <lichen/semaphore.h>
#include <lichen/thread.h>

SEMAPHORE(s, 0)

THREAD(t, 512, PRIORITY_APP)
{
    (void)semaphore_wait(&s);
}
