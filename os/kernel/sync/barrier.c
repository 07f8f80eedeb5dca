/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Barriers. The threads that have arrived are those that wait: a separate count would have to be
 * updated on timeouts. */
#include <lichen/barrier.h>

int barrier_service(void *argument)
{
    struct syscall *call = argument;
    struct barrier *barrier = call->object;
    unsigned missing = barrier->parties - 1u;
    for (const struct syscall *other = barrier->waiting; other != 0; other = other->next) {
        missing--;
    }
    if (missing != 0) {
        return syscall_wait_in(call, &barrier->waiting);
    }
    syscall_end_all(&barrier->waiting, 0);
    return 0;
}

void barrier_wait(struct barrier *barrier)
{
    (void)syscall_run_on(barrier_service, barrier);
}
