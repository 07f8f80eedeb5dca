/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An image with a link, a shell and levels of messages, all of which programs that are loaded have
 * a part in. Its command `pool` says how many packets, or frames, are in use.
 */
#include <lichen/am.h>
#include <lichen/loader.h>
#include <lichen/loader_serial.h>
#include <lichen/packet.h>
#include <lichen/panic.h>
#include <lichen/shell.h>

/* Where the link has packets; else it has frames. */
#pragma weak packet_references
#pragma weak packet_block_count

LINK_FRAME(AM_PAYLOAD_USUAL);
LOADER(PRIORITY_HIGH);
LOADER_SERIAL("host");
SHELL(SHELL_STACK, PRIORITY_LOW);
SHELL_USE(log);

SHELL_COMMAND(pool, "", "Counts what is in use, and losses.")
{
    struct link_loss loss;
    unsigned used = 0;

    for (uint8_t i = 0; i < link_frame_count; i++) {
        used += link_frame_is_used[i];
    }
    for (uint8_t i = 0; packet_references != 0 && i < packet_block_count; i++) {
        used += packet_references[i] != 0;
    }
    print("in use: %u\n", used);
    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        if (loss.count != 0) {
            print("lost: %s %u\n", loss.name, (unsigned)loss.count);
        }
    }
}

SHELL_COMMAND(open, "", "Opens the link.")
{
    int error = link_open(0);

    if (error != 0) {
        panic((uintptr_t)error);
    }
    print("open\n");
}
