/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include <lichen/arch.h>

int arch_kernel_run(void *argument, void *second, arch_call_with_fn *fn)
{
    return fn(argument, second);
}

_Noreturn void host_assert_failed(const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed\n", file, line);
    abort();
}
