/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* More events than the rings' indices can count.
 *
 * refused: more than 255 events, notifications and semaphores of interrupts
 */
#include <lichen/event.h>

#define ONE(name)                                                                                  \
    EVENT(name)                                                                                    \
    {                                                                                              \
    }
#define FOUR(name)    ONE(name##0) ONE(name##1) ONE(name##2) ONE(name##3)
#define SIXTEEN(name) FOUR(name##0) FOUR(name##1) FOUR(name##2) FOUR(name##3)
#define MANY(name)    SIXTEEN(name##0) SIXTEEN(name##1) SIXTEEN(name##2) SIXTEEN(name##3)

MANY(a)
MANY(b)
MANY(c)
MANY(d)
