/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends one message after each start, in which the noise of its RAM or of its radio may give the
 * same first number as before. */
#include <lichen/am.h>
#include <lichen/print.h>
#include <lichen/thread.h>

#include "../numbered.h"

THREAD(first, 512, PRIORITY_APP)
{
    struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = SENDER};
    static const uint8_t bytes[] = {0, 1};

    if (link_open(&settings) != 0) {
        print("not open\n");
    }
    print("%s\n", am_send(RECEIVER, NUMBERED, bytes, sizeof(bytes)) == 0 ? "sent" : "lost");
}
