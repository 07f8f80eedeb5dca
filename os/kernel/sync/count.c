/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counts that threads wait for: barriers, until all have arrived, and references, until all have
 * been given back. */
#include <lichen/barrier.h>
#include <lichen/reference.h>

#include <lichen/assert.h>
#include <lichen/kernel.h>

/* The threads that have arrived are those that wait: a separate count would have to be updated on
 * timeouts. */
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

static int add_user(void *argument)
{
    struct reference *reference = argument;
    if (reference->count == UINT16_MAX) {
        return ERR_FULL;
    }
    reference->count++;
    return 0;
}

static void give(void *argument)
{
    struct reference *reference = argument;
    assert(reference->count != 0);
    if (--reference->count == 0) {
        syscall_end_all(&reference->waiting, 0);
    }
}

int reference_service(void *argument)
{
    struct syscall *call = argument;
    struct reference *reference = call->object;
    return reference->count == 0 ? 0 : syscall_wait_in(call, &reference->waiting);
}

int reference_take(struct reference *reference)
{
    return kernel_run(add_user, reference);
}

void reference_give(struct reference *reference)
{
    kernel_do(give, reference);
}

void reference_wait(struct reference *reference)
{
    (void)syscall_run_on(reference_service, reference);
}
