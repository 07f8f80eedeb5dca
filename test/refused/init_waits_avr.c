/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function of INIT waits for a notification.
 *
 * on: micaz
 * refused: INIT function `prepare' must not call `notify_wait'
 */
#include <lichen/init.h>
#include <lichen/notify.h>

NOTIFY(ready);

static void prepare(void)
{
    notify_wait(&ready);
}
INIT(prepare);
