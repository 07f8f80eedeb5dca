/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program whose start function overflows the kernel's stack, and with it whatever lies there. */
#include <lichen/arch.h>
#include <lichen/init.h>
#include <lichen/thread.h>

enum { ROOM = ARCH_FLASH_IS_APART ? 600 : 1200 };

static void start(void)
{
    volatile uint8_t room[ROOM];

    for (unsigned i = 0; i < ROOM; i++) {
        room[i] = 0;
    }
    (void)room[0];
}
INIT(start);

THREAD(stumbles, ARCH_FLASH_IS_APART ? 192 : 256, PRIORITY_APP)
{
}
