/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue of words that nobody waits for, a condition that nobody waits for, and a notification, in
 * a thread.
 *
 *   send_call .. send_return          there is room
 *   receive_call .. receive_return    there is a message
 *   signal_call .. signal_return
 *   notify_call .. notify_return      nobody waits, and the notification is not set
 *   notified_call .. notified_return  a wait for a notification that is set
 */
#include <lichen/condition.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/thread.h>

#include "../mark.h"

QUEUE(words, uint32_t, 4);
CONDITION(changed);
NOTIFY(flag);

THREAD(one, 256, PRIORITY_APP)
{
    uint32_t word = 0;
    for (;;) {
        BENCH_MARK(send_call);
        queue_send(&words, &word);
        BENCH_MARK(send_return);
        BENCH_MARK(receive_call);
        queue_receive(&words, &word);
        BENCH_MARK(receive_return);
        BENCH_MARK(signal_call);
        condition_signal(&changed);
        BENCH_MARK(signal_return);
        BENCH_MARK(notify_call);
        notify_post(&flag);
        BENCH_MARK(notify_return);
        BENCH_MARK(notified_call);
        notify_wait(&flag);
        BENCH_MARK(notified_return);
    }
}
