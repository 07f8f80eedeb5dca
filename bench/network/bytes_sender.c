/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends frames one after the other. */
#include <lichen/thread.h>

#include "bytes.h"

EVENT(radio_received)
{
}

THREAD(sender, 256, PRIORITY_APP)
{
    send_all_the_time();
}
