/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A structure has a name of the system.
 *
 * error: test/refused/struct_called_event.c:13:8: `struct event' is declared in <lichen/event.h>,
 *        as something else
 * help: give this another name
 */
/* clang-format off */
#include <lichen/event.h>
#include <lichen/print.h>
#include <lichen/thread.h>

struct event {
    int kind;
};

THREAD(t, 512, PRIORITY_APP)
{
    struct event e = {3};
    print("%d\n", e.kind);
}
