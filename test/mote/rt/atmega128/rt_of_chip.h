/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Vectors that software requests, for tasks (rt/samr21/rt_of_chip.h has the names): two that are
 * pending whenever they are enabled, and overflows of timers that are about to come.
 */
#ifndef RT_OF_CHIP_H
#define RT_OF_CHIP_H

#include <avr/io.h>

#define URGENT USART1_UDRE
#define LESSER EE_READY
#define EQUAL  TIMER3_OVF
#define SENDS  TIMER1_OVF

#define ACKNOWLEDGE(vector)     ACKNOWLEDGE_(vector)
#define ACKNOWLEDGE_(vector)    ACKNOWLEDGE_##vector
#define ACKNOWLEDGE_USART1_UDRE (UCSR1B = 0)
#define ACKNOWLEDGE_EE_READY    ((void)0)
#define ACKNOWLEDGE_TIMER3_OVF  (TCCR3B = 0)
#define ACKNOWLEDGE_TIMER1_OVF  (TCCR1B = 0)

/* Two more cycles, after which it is served. */
#define REQUEST(vector) REQUEST_(vector)
#define REQUEST_(vector)                                                                           \
    do {                                                                                           \
        REQUEST_##vector;                                                                          \
        __asm__ volatile("nop\n\tnop\n\tnop" : : : "memory");                                      \
    } while (0)
#define REQUEST_USART1_UDRE UCSR1B = 1 << UDRIE1
#define REQUEST_EE_READY    EECR = 1 << EERIE
#define REQUEST_TIMER3_OVF  ETIMSK |= 1 << TOIE3, TCNT3 = 0xffff, TCCR3B = 1 << CS30
#define REQUEST_TIMER1_OVF  TIMSK |= 1 << TOIE1, TCNT1 = 0xffff, TCCR1B = 1 << CS10

#endif
