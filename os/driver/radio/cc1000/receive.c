/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames that arrive. When a header is there, the strength of the signal is measured: the frame is
 * on the air for some bytes more. */
#include "driver/radio/cc1000/bytes.h"
#include "driver/radio/cc1000/driver.h"

static bool asks; /* the last one is to be acknowledged */

static void end(void)
{
    uint8_t *frame = cc1000_bytes_take_frame();

    if (frame == 0) {
        cc1000_user_note(CC1000_CORRUPTED);
    } else {
        asks = cc1000_user_received(frame);
    }
}

bool cc1000_receive_step(void)
{
    if (!cc1000_bytes_has_happened(BYTES_NEWS)) {
        return false;
    }
    bool has_frame = cc1000_bytes_has_happened(BYTES_FRAME);
    if (cc1000_bytes_has_happened(BYTES_HEAD)) {
        int error = cc1000_channel_sample();
        (void)error;
    }
    if (has_frame) {
        end();
    }
    if (cc1000_bytes_has_happened(BYTES_WRONG)) {
        cc1000_user_note(CC1000_TOO_LONG);
    }
    if (cc1000_bytes_has_happened(BYTES_MISSED)) {
        cc1000_user_note(CC1000_OVERFLOWED);
    }
    return has_frame;
}

bool cc1000_receive_asks_acknowledgment(void)
{
    bool asked = asks;

    asks = false;
    return asked;
}

/* What the interrupt told before it was stopped is looked at once more. */
void cc1000_receive_stop(void)
{
    (void)cc1000_receive_step();
    asks = false;
}
