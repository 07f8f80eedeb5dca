/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A mote that takes part in dissemination, and listens. */
#include "../passing.h"

DISSEMINATION(PRIORITY_APP, arrived);
LINK_FRAMES(3, DISSEMINATION_FRAME);

THREAD(talk, ARCH_FLASH_IS_APART ? 400 : 640, PRIORITY_APP)
{
    struct link_settings settings = {
        .pan = LINK_PAN_USUAL, .short_address = LINK_ALL, .flags = LINK_RECEIVES_IN_BACKOFF};

    tell_begin();
    if (link_open(&settings) != 0) {
        print("not open\n");
    }
    take_part();
}
