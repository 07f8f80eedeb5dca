/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* All that RAM has room for: an event takes 14 bytes. */
#ifndef RINGS_EVENTS_H
#define RINGS_EVENTS_H

#define EVENTS(SIXTY_FOUR, EIGHT, ONE)                                                             \
    SIXTY_FOUR(a)                                                                                  \
    SIXTY_FOUR(b)

/* With those of the console. */
#define RING_SLOTS 133

#endif
