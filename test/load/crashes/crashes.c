/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program that brings down the whole mote, in the way that its version says: it keeps threads
 * below its own from their work until the watchdog ends that, or overwrites all memory.
 */
#include <lichen/arch.h>
#include <lichen/program.h>
#include <lichen/thread.h>

enum { SPINS = 1 };

static void overwrite(void)
{
    uintptr_t begin = ARCH_FLASH_IS_APART ? 0x100 : 0x20000000;
    uintptr_t bytes = ARCH_FLASH_IS_APART ? 0x1000 : 0x8000;

    for (uintptr_t at = begin; at != begin + bytes; at++) {
        *(volatile uint8_t *)at = 0;
    }
}

THREAD(crashes, ARCH_FLASH_IS_APART ? 192 : 256, PRIORITY_APP)
{
    while (program_version() == SPINS) {
    }
    overwrite();
}
