/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event of another file is declared by EVENT.
 *
 * error: test/refused/event_extern.c:11:8: EVENT makes what it declares, and cannot be extern
 * help: to name that of another file, write EVENT_EXTERN(tick);
 */
/* clang-format off */
#include <lichen/event.h>
#include <lichen/thread.h>

extern EVENT(tick);

THREAD(t, 512, PRIORITY_APP)
{
    event_post(&tick);
}
