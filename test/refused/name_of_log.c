/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Prints by log.
 *
 * error: test/refused/name_of_log.c:13:5: nothing declares `log'
 * help: text goes to the console by print (<lichen/print.h>), with a level by syslog
 *        (<lichen/syslog.h>)
 */
/* clang-format off */
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    log("hello");
}
