/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How to count cycles, and the limits. The same names for every chip. */
#ifndef SHORT_OF_CHIP_H
#define SHORT_OF_CHIP_H

#include <lichen/init.h>

#include "chip/chip.h"

typedef uint32_t cycles_t;

INIT(chip_cycle_counter_start);

/* The counter reaches half of its range only after the tests. */
void kernel_cycles_half(void)
{
}

static inline __attribute__((always_inline)) cycles_t cycles_now(void)
{
    return chip_cycle_counter;
}

/* What each round may take, in cycles. */
#define TAKE                     21
#define GIVE                     24
#define LOCK                     20
#define UNLOCK                   20
#define SET_FLAG                 25
#define SET_FLAG_AGAIN           25
#define FIND_FLAG_SET            54
#define SIGNAL                   21
#define BROADCAST                21
#define SEND_WORD                98
#define RECEIVE_WORD             92
#define SEND_BYTE                97
#define RECEIVE_BYTE             91
#define SEND_LONGEST             119
#define RECEIVE_LONGEST          113
#define WAKE_BY_SEMAPHORE        167
#define GO_ON_AFTER_SEMAPHORE    167
#define WAKE_BY_NOTIFICATION     138
#define GO_ON_AFTER_NOTIFICATION 125
#define WAKE_BY_INTERRUPT        124
#define WAKE_BY_EITHER           141
#define WAKE_BY_COUNT            194
#define GO_ON_AFTER_INTERRUPT    129
#define WAKE_BY_EVENT            119
#define RUN_EVENT                83
#define WAIT_FOR_MESSAGE         354
#define WAIT_FOR_MESSAGE_UNTIL   552
#define WAKE_BY_MESSAGE          369
#define CALL_KERNEL              90
#define CALL_THAT_POSTS          485
#define WAKE_EQUAL               131

#endif
