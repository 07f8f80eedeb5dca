/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counters, and the names of reasons. */
#include "net/byte_link/byte_link.h"

#pragma weak byte_link_refill

struct link_counters byte_link_counters;
uint16_t byte_link_losses[BYTE_LINK_REASONS];

void byte_link_count(uint16_t *counter)
{
    if (*counter != UINT16_MAX) {
        (*counter)++;
    }
}

void byte_link_lose(uint8_t index)
{
    byte_link_count(&byte_link_losses[index]);
}

/* Without receivers, no frame has memory. */
void byte_link_note(uint8_t loss)
{
    bool is_for_nobody = loss == CC1000_OVERFLOWED && byte_link_refill == 0;

    byte_link_lose(is_for_nobody ? LOST_NO_RECEIVER : (uint8_t)(LOST_BY_LINK + loss));
}

bool byte_link_received_none(uint8_t *frame)
{
    (void)frame;
    return false;
}

static int copy(void *counters)
{
    *(struct link_counters *)counters = byte_link_counters;
    return 0;
}

void link_count(struct link_counters *counters)
{
    (void)kernel_run(copy, counters);
}

static const char *name_of(unsigned index)
{
    switch (index) {
    case LOST_KIND:
        return ARCH_TEXT("request, without children");
    case LOST_EMPTY:
        return ARCH_TEXT("empty: nothing waits");
    case LOST_NO_RECEIVER:
        return ARCH_TEXT("no receiver");
    case LOST_RECEIVER_FULL:
        return ARCH_TEXT("receiver full");
    case LOST_NO_PACKET:
        return ARCH_TEXT("no packet");
    case LOST_NOT_ASKED_FOR:
        return ARCH_TEXT("child has not asked");
    case LOST_NOT_SENT:
        return ARCH_TEXT("parent has not sent");
    case LOST_CHANNEL:
        return ARCH_TEXT("channel never clear");
    case LOST_NO_ACK:
        return ARCH_TEXT("not acknowledged");
    case LOST_RADIO:
        return ARCH_TEXT("radio failed");
    case LOST_BY_LINK + CC1000_CORRUPTED:
        return ARCH_TEXT("corrupted");
    case LOST_BY_LINK + CC1000_TOO_LONG:
        return ARCH_TEXT("longer than LINK_FRAMES");
    case LOST_BY_LINK + CC1000_OVERFLOWED:
        return ARCH_TEXT("no frame free");
    case LOST_BY_LINK + CC1000_UNDERRUN:
        return ARCH_TEXT("underrun");
    default:
        return ARCH_TEXT("restarts");
    }
}

int link_loss(unsigned index, struct link_loss *loss)
{
    if (index >= BYTE_LINK_REASONS - 1) {
        return ERR_EMPTY;
    }
    index++; /* the first one is no reason */
    loss->part = index < LOST_BY_LINK ? ARCH_TEXT("link") : ARCH_TEXT("radio");
    loss->name = name_of(index);
    loss->count = byte_link_losses[index];
    return 0;
}
