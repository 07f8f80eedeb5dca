/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Calls that threads and events share. */
#include <lichen/kernel.h>

int kernel_run(arch_call_fn *fn, void *argument)
{
    return arch_in_thread() ? arch_kernel_call(fn, argument) : fn(argument);
}
