/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where a debugger or simulator starts to understand the kernel. It reads this from the image: the
 * linker keeps the section out of memory. */
#include <lichen/kernel.h>
#include <lichen/thread.h>

#include "arch/arch.h"
#include "kernel/panic/panic.h"
#include "kernel/thread/thread.h"

const struct lichen_abi lichen_abi __attribute__((section(".lichen.abi"))) = {
    .version = LICHEN_ABI_VERSION,
    .threads_begin = threads_begin,
    .threads_end = threads_end,
    .panic = &panic_record,
    .kernel = &kernel,
    .kernel_stack_begin = kernel_stack_bottom,
    .kernel_stack_end = kernel_stack_top,
    .stack_paint = ARCH_STACK_PAINT,
};
