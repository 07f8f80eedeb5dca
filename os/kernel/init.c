/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What INIT names runs as the first event: at the kernel level, before any thread, with every call
 * that events have. The linker has put the table in the order of phases. Each INIT asks the linker
 * for this file, so a program without one does not pay for it.
 */
#include <lichen/event.h>
#include <lichen/init.h>

extern init_fn *const init_begin[], *const init_end[];

EVENT(init_event)
{
    for (init_fn *const *init = init_begin; init < init_end; init++) {
        (*init)();
    }
}
