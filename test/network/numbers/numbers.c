/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Prints each numbered message: how many have come, their source, and whether the number is not
 * above the last one. */
#include <lichen/am.h>
#include <lichen/print.h>
#include <lichen/thread.h>

#include "../numbered.h"

AM_RECEIVER(numbered, NUMBERED, 4);

THREAD(receive, 512, PRIORITY_APP)
{
    struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = RECEIVER};
    struct am_message message;
    unsigned count = 0, last = 0;
    uint8_t bytes[2];

    if (link_open(&settings) != 0) {
        print("not open\n");
    }
    while (am_receive(&numbered, &message, bytes, sizeof(bytes), TIME_NEVER) == 0) {
        unsigned number = (unsigned)(bytes[0] << 8 | bytes[1]);
        print("%u from %u: %u%s\n", ++count, message.source, number, number > last ? "" : " again");
        last = number;
    }
}
