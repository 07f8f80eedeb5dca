/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* All that a ring has slots for. */
#ifndef RINGS_EVENTS_H
#define RINGS_EVENTS_H

#define EVENTS(SIXTY_FOUR, EIGHT, ONE)                                                             \
    SIXTY_FOUR(a)                                                                                  \
    SIXTY_FOUR(b)                                                                                  \
    SIXTY_FOUR(c)                                                                                  \
    EIGHT(d0)                                                                                      \
    EIGHT(d1)                                                                                      \
    EIGHT(d2)                                                                                      \
    EIGHT(d3)                                                                                      \
    EIGHT(d4)                                                                                      \
    EIGHT(d5)                                                                                      \
    EIGHT(d6)                                                                                      \
    ONE(e0)                                                                                        \
    ONE(e1)                                                                                        \
    ONE(e2)

/* With those of the console. */
#define RING_SLOTS 256

#endif
