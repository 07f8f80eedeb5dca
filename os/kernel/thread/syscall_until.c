/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blocking calls with a deadline. All of them come here, from the inline functions of their
 * headers, and nothing else does: they bring the clock into the program. */
#include "kernel/thread/syscall.h"

int syscall_run_until(arch_call_fn *fn, struct syscall *call, uint64_t deadline)
{
    call->deadline.tick = deadline_of_us(deadline);
    return syscall_enter(fn, call, syscall_expire);
}

int syscall_run_on_until(arch_call_fn *fn, void *object, uint64_t deadline)
{
    struct syscall call;
    call.object = object;
    return syscall_run_until(fn, &call, deadline);
}
