/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "kernel/panic/panic.h"

void panic_forget(void)
{
    panic_record.magic = 0;
}
