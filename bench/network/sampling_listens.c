/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sampling beside the radio, which receives.
 *
 *   frame_taken   a frame has been received
 */
#include "bytes.h"
#include "sampling.h"

EVENT(radio_received)
{
    packet_t packet;

    while (radio_receive(&packet) == 0) {
        BENCH_MARK(frame_taken);
        packet_free(packet);
    }
}

THREAD(sweep, 256, PRIORITY_LOW)
{
    set_radio();
    radio_listen(true);
    sample_start();
    sweep_phases();
}
