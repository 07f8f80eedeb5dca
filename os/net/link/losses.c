/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counters, and the names of reasons. */
#include "net/link/headers.h"

#pragma weak link_headers_losses
#pragma weak link_headers_reason
#pragma weak link_headers_reasons

struct link_counters link_counters;
uint16_t link_losses[LOST_BY_LINK];

uint16_t *link_lost_count(uint8_t index)
{
    return index >= LOST_BY_LINK && link_headers_losses != 0
               ? &link_headers_losses[index - LOST_BY_LINK]
               : &link_losses[index];
}

void link_lose(uint8_t index)
{
    link_add(link_lost_count(index));
}

void link_count(struct link_counters *counters)
{
    *counters = link_counters;
}

static const char *name_of(unsigned index)
{
    switch (index) {
    case LOST_NOT_MINE:
        return ARCH_TEXT("for others");
    case LOST_DUPLICATE:
        return ARCH_TEXT("duplicate");
    case LOST_UNSECURED:
        return ARCH_TEXT("not secured");
    case LOST_SECURED:
        return ARCH_TEXT("secured, without security");
    case LOST_HEADER:
        return ARCH_TEXT("another header");
    case LOST_KIND:
        return ARCH_TEXT("neither data nor request");
    case LOST_EMPTY:
        return ARCH_TEXT("empty: nothing waits");
    case LOST_NO_RECEIVER:
        return ARCH_TEXT("no receiver");
    case LOST_RECEIVER_FULL:
        return ARCH_TEXT("receiver full");
    case LOST_NO_BLOCK:
        return ARCH_TEXT("no block for its header");
    case LOST_NOT_ASKED_FOR:
        return ARCH_TEXT("child has not asked");
    case LOST_CHILD_NO_ACK:
        return ARCH_TEXT("child has not acknowledged");
    case LOST_NOT_SENT:
        return ARCH_TEXT("parent has not sent");
    case LOST_CHANNEL:
        return ARCH_TEXT("channel never clear");
    case LOST_NO_ACK:
        return ARCH_TEXT("not acknowledged");
    default:
        return ARCH_TEXT("radio failed");
    }
}

/* What the radio's driver counts as lost. */
static int of_radio(unsigned index, struct link_loss *loss)
{
    struct radio_counters counters;

    radio_count(&counters);
    switch (index) {
    case 0:
        loss->name = ARCH_TEXT("corrupted");
        loss->count = counters.corrupted;
        return 0;
    case 1:
        loss->name = ARCH_TEXT("overflowed");
        loss->count = counters.overflowed;
        return 0;
    case 2:
        loss->name = ARCH_TEXT("no packet");
        loss->count = counters.no_packet;
        return 0;
    case 3:
        loss->name = ARCH_TEXT("not taken");
        loss->count = counters.not_taken;
        return 0;
    case 4:
        loss->name = ARCH_TEXT("channel busy");
        loss->count = counters.channel_busy;
        return 0;
    case 5:
        loss->name = ARCH_TEXT("not acknowledged");
        loss->count = counters.not_acknowledged;
        return 0;
    case 6:
        loss->name = ARCH_TEXT("underrun");
        loss->count = counters.underrun;
        return 0;
    case 7:
        loss->name = ARCH_TEXT("restarts");
        loss->count = counters.restarts;
        return 0;
    default:
        return ERR_EMPTY;
    }
}

int link_loss(unsigned index, struct link_loss *loss)
{
    const unsigned by_link = LOST_BY_LINK - 1;
    const unsigned by_headers = link_headers_reason != 0 ? link_headers_reasons : 0;

    if (index < by_link) {
        loss->part = ARCH_TEXT("link");
        loss->name = name_of(index + 1);
        loss->count = link_losses[index + 1];
        return 0;
    }
    index -= by_link;
    if (index < by_headers) {
        link_headers_reason((uint8_t)index, loss);
        loss->count = link_headers_losses[index];
        return 0;
    }
    loss->part = ARCH_TEXT("radio");
    return of_radio(index - by_headers, loss);
}
