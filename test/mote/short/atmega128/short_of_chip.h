/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How to count cycles, and the limits (short/samr21/short_of_chip.h has the names). */
#ifndef SHORT_OF_CHIP_H
#define SHORT_OF_CHIP_H

#include <avr/io.h>
#include <stdint.h>

#include <lichen/init.h>

/* Timer 1 counts cycles. */
typedef uint16_t cycles_t;

static void cycles_start(void)
{
    TCCR1B = 1 << CS10;
}
INIT(cycles_start);

static inline __attribute__((always_inline)) cycles_t cycles_now(void)
{
    return TCNT1;
}

/* What each round may take, in cycles. */
#define TAKE                     28
#define GIVE                     34
#define LOCK                     31
#define UNLOCK                   32
#define SET_FLAG                 43
#define SET_FLAG_AGAIN           43
#define FIND_FLAG_SET            113
#define SIGNAL                   21
#define BROADCAST                21
#define SEND_WORD                152
#define RECEIVE_WORD             143
#define SEND_BYTE                131
#define RECEIVE_BYTE             122
#define SEND_LONGEST             236
#define RECEIVE_LONGEST          228
#define WAKE_BY_SEMAPHORE        638
#define GO_ON_AFTER_SEMAPHORE    618
#define WAKE_BY_NOTIFICATION     546
#define GO_ON_AFTER_NOTIFICATION 535
#define WAKE_BY_INTERRUPT        785
#define WAKE_BY_EITHER           794
#define WAKE_BY_COUNT            1004
#define GO_ON_AFTER_INTERRUPT    562
#define WAKE_BY_EVENT            279
#define RUN_EVENT                561
#define WAIT_FOR_MESSAGE         745
#define WAIT_FOR_MESSAGE_UNTIL   1122
#define WAKE_BY_MESSAGE          826
#define CALL_KERNEL              89
#define CALL_THAT_POSTS          982
#define WAKE_EQUAL               477

#endif
