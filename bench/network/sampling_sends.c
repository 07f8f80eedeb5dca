/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sampling beside the radio, which sends without a pause. */
#include "bytes.h"
#include "sampling.h"

EVENT(radio_received)
{
}

THREAD(sender, 256, PRIORITY_APP)
{
    send_all_the_time();
}

THREAD(sweep, 256, PRIORITY_LOW)
{
    sample_start();
    sweep_phases();
}
