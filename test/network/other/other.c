/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/link.h>
#include <lichen/print.h>
#include <lichen/thread.h>

#include "../numbered.h"

THREAD(open, 576, PRIORITY_APP)
{
    struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OTHER};

    if (link_open(&settings) != 0) {
        print("not open\n");
    }
}
