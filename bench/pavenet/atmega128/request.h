/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupts requested by software (bench/pavenet/samr21/request.h has the names): two sources of
 * the ATmega128 that request an interrupt whenever they are enabled, since they have nothing to do.
 * USART1's data register is empty, and the EEPROM is ready.
 */
#ifndef BENCH_REQUEST_H
#define BENCH_REQUEST_H

#include <stdint.h>

#include <avr/io.h>

#define HIGH USART1_UDRE
#define LOW  EE_READY

#define REQUEST(mark, vector)  REQUEST_(mark, vector)
#define REQUEST_(mark, vector) REQUEST_##vector(mark)
#define REQUEST_USART1_UDRE(mark)                                                                  \
    __asm__ volatile(".global " #mark "\n.type " #mark ", @function\n" #mark ":\n\tsts %1, %0"     \
                     :                                                                             \
                     : "r"((uint8_t)(1 << UDRIE1)), "i"(_SFR_MEM_ADDR(UCSR1B))                     \
                     : "memory")
#define REQUEST_EE_READY(mark)                                                                     \
    __asm__ volatile(".global " #mark "\n.type " #mark ", @function\n" #mark ":\n\tsbi %0, %1"     \
                     :                                                                             \
                     : "I"(_SFR_IO_ADDR(EECR)), "I"(EERIE)                                         \
                     : "memory")

/* The entry of EE_READY has ended its request. */
#define REQUEST_SERVED(vector)  REQUEST_SERVED_(vector)
#define REQUEST_SERVED_(vector) REQUEST_SERVED_##vector
#define REQUEST_SERVED_USART1_UDRE                                                                 \
    do {                                                                                           \
        UCSR1B = 0;                                                                                \
    } while (0)
#define REQUEST_SERVED_EE_READY

#endif
