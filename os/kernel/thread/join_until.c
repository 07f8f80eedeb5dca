/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for the end of a thread until a moment. Apart from the plain wait, which needs no clock.
 */
#include "kernel/thread/message.h"
#include "kernel/thread/thread.h"

int thread_join_until(struct thread *thread, uint64_t deadline)
{
    return message_do_until(thread_join_call, thread, deadline);
}
