/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The memory of frames. A frame is taken at the kernel level only; whoever has it may give it back,
 * by one store, and has the driver look if it lacks one. */
#include "net/byte_link/byte_link.h"

#pragma weak byte_link_refill

/* As LINK_FRAMES makes them: the strength of the signal, header, payload, checksum. */
enum { IN_FRONT = 1 };
_Static_assert(LINK_FRAME_MORE == IN_FRONT + HEADER_BYTES + CRC_BYTES, "what a frame has besides");

uint8_t *byte_link_frame(uint8_t number)
{
    return link_frames + (uint16_t)(number - 1) * (uint8_t)(link_frame_payload + LINK_FRAME_MORE) +
           IN_FRONT;
}

uint8_t byte_link_take_frame(uint8_t leaves)
{
    uint8_t number = 0;

    for (uint8_t i = 0; i < link_frame_count; i++) {
        if (!link_frame_is_used[i]) {
            if (leaves == 0) {
                link_frame_is_used[i] = true;
                return (uint8_t)(i + 1);
            }
            leaves--;
        }
    }
    return number;
}

static void refill(void *nothing)
{
    (void)nothing;
    byte_link_refill();
}

void byte_link_free_frame(uint8_t number)
{
    link_frame_is_used[number - 1] = false;
    if (byte_link_refill != 0 && byte_link_state.receiving == 0) {
        kernel_do(refill, 0);
    }
}
