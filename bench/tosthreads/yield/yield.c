/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two threads of equal priority yield to each other. The marks are in the kernel
 * (switch.S of the architecture):
 *
 *   svc_handler, on AVR kernel_yield .. switch_exit   from the kernel's first instruction to before
 * its last, which enters the other thread
 */
#include <lichen/thread.h>

THREAD(one, 256, PRIORITY_APP)
{
    for (;;) {
        thread_yield();
    }
}

THREAD(other, 256, PRIORITY_APP)
{
    for (;;) {
        thread_yield();
    }
}
