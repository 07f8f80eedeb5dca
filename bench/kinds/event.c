/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One event, posted by an interrupt. */
#include <lichen/event.h>
#include <lichen/interrupt.h>

#include "kinds_of_chip.h"

static volatile unsigned runs;

EVENT(event)
{
    runs++;
}

INTERRUPT(VECTOR_OF_INTERRUPT)
{
    event_post_from(&event, LEVEL_DRIVER);
}
