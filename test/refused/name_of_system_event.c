/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event with the name of a variable of the kernel's.
 *
 * error: test/refused/name_of_system_event.c:12: `panic_record' is a name of the system, and is
 *        defined here again
 * help: give this another name, such as my_panic_record; or declare it static, if only this file
 *        uses it; the system's is at os/kernel/panic/record.c:21
 */
#include <lichen/event.h>
#include <lichen/thread.h>

EVENT(panic_record)
{
}

THREAD(begin, 256, PRIORITY_APP)
{
    event_post(&panic_record);
}
