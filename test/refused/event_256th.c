/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* More postable objects than a ring can number.
 *
 * refused: event_256th.c: 257 objects to post, 2 more than fit: event_256th.c 257
 */
#include <lichen/event.h>
#include <lichen/notify.h>

#define ONE(name)                                                                                  \
    EVENT(name)                                                                                    \
    {                                                                                              \
    }
#define FOUR(name)    ONE(name##0) ONE(name##1) ONE(name##2) ONE(name##3)
#define SIXTEEN(name) FOUR(name##0) FOUR(name##1) FOUR(name##2) FOUR(name##3)
#define OF_64(name)   SIXTEEN(name##0) SIXTEEN(name##1) SIXTEEN(name##2) SIXTEEN(name##3)

OF_64(a)
OF_64(b)
OF_64(c)
OF_64(d)
NOTIFY(one_more);
