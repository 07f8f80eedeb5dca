/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames of IEEE 802.15.4 that are sent again, to a child. Linked by child.c. */
#include "net/ieee802154/header.h"
#include "net/link/format.h"

void link_format_renew(const struct link_sending *sending)
{
    uint8_t control;

    packet_read(sending->packet, 0, &control, 1);
    if ((control & CONTROL_SECURITY) == 0) {
        control = (uint8_t)((control & ~CONTROL_PENDING) | (sending->more ? CONTROL_PENDING : 0));
        packet_write(sending->packet, 0, &control, 1);
    }
}
