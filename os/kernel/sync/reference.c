/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reference counters. */
#include <lichen/reference.h>

#include <lichen/assert.h>
#include <lichen/kernel.h>

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
