/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A structure lacks the value of a field.
 *
 * error: test/refused/language_field_missing.c:22:12: the value of field `z' is missing
 * help: give one to each field, or name those that you give: {.field = value}
 */
#include <lichen/queue.h>
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

struct a {
    int x;
};
struct b {
    int y, z;
};
QUEUE(q, struct a, 4);
THREAD(t, 512, PRIORITY_APP)
{
    struct b v = {1};
    (void)queue_send(&q, &v);
}
