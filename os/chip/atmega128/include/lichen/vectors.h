/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The vectors of the ATmega128 (data sheet, Interrupts), for handlers of level 1 (lichen/arch.h).
 *
 * ARCH_VECTOR_<name> is its number, by which deferred handlers are ordered, and what keeps the
 * source quiet if the request does not end when the processor enters the handler: instructions
 * before interrupts are enabled again, which may change r24, and one after that, which runs before
 * any other interrupt. They change no flag. The driver enables the source again. An entry of a
 * USART disables all three of its causes, and one of INT0 to INT7 all eight, so that none is taken
 * while the handler of another runs: of entries that begin with the same store, one at a time is on
 * a stack (host/stack relies on it).
 */
#ifndef LICHEN_VECTORS_H
#define LICHEN_VECTORS_H

#define ARCH_VECTOR_INT0         "01", "ldi r24, 0\n", "out 0x39, r24\n"
#define ARCH_VECTOR_INT1         "02", "ldi r24, 0\n", "out 0x39, r24\n"
#define ARCH_VECTOR_INT2         "03", "ldi r24, 0\n", "out 0x39, r24\n"
#define ARCH_VECTOR_INT3         "04", "ldi r24, 0\n", "out 0x39, r24\n"
#define ARCH_VECTOR_INT4         "05", "ldi r24, 0\n", "out 0x39, r24\n"
#define ARCH_VECTOR_INT5         "06", "ldi r24, 0\n", "out 0x39, r24\n"
#define ARCH_VECTOR_INT6         "07", "ldi r24, 0\n", "out 0x39, r24\n"
#define ARCH_VECTOR_INT7         "08", "ldi r24, 0\n", "out 0x39, r24\n"
#define ARCH_VECTOR_TIMER2_COMP  "09", "", ""
#define ARCH_VECTOR_TIMER2_OVF   "10", "", ""
#define ARCH_VECTOR_TIMER1_CAPT  "11", "", ""
#define ARCH_VECTOR_TIMER1_COMPA "12", "", ""
#define ARCH_VECTOR_TIMER1_COMPB "13", "", ""
#define ARCH_VECTOR_TIMER1_OVF   "14", "", ""
#define ARCH_VECTOR_TIMER0_COMP  "15", "", ""
#define ARCH_VECTOR_TIMER0_OVF   "16", "", ""
#define ARCH_VECTOR_SPI_STC      "17", "", ""
#define ARCH_VECTOR_USART0_RX    "18", "ldi r24, 0x18\n", "out 0x0a, r24\n"
#define ARCH_VECTOR_USART0_UDRE  "19", "ldi r24, 0x18\n", "out 0x0a, r24\n"
#define ARCH_VECTOR_USART0_TX    "20", "ldi r24, 0x18\n", "out 0x0a, r24\n"
#define ARCH_VECTOR_ADC          "21", "", ""
#define ARCH_VECTOR_EE_READY     "22", "", "cbi 0x1c, 3\n"
#define ARCH_VECTOR_ANALOG_COMP  "23", "", ""
#define ARCH_VECTOR_TIMER1_COMPC "24", "", ""
#define ARCH_VECTOR_TIMER3_CAPT  "25", "", ""
#define ARCH_VECTOR_TIMER3_COMPA "26", "", ""
#define ARCH_VECTOR_TIMER3_COMPB "27", "", ""
#define ARCH_VECTOR_TIMER3_COMPC "28", "", ""
#define ARCH_VECTOR_TIMER3_OVF   "29", "", ""
#define ARCH_VECTOR_USART1_RX    "30", "ldi r24, 0x18\n", "sts 0x9a, r24\n"
#define ARCH_VECTOR_USART1_UDRE  "31", "ldi r24, 0x18\n", "sts 0x9a, r24\n"
#define ARCH_VECTOR_USART1_TX    "32", "ldi r24, 0x18\n", "sts 0x9a, r24\n"
#define ARCH_VECTOR_TWI          "33", "ldi r24, 4\n", "sts 0x74, r24\n"
#define ARCH_VECTOR_SPM_READY    "34", "", ""

/* SPM_READY is pending whenever flash is not being written: enabling it requests the kernel level.
 * Whoever does so links its handler, and with it the vector. */
#define ARCH_REQUEST_REGISTER 0x68 /* SPMCSR */
#define ARCH_REQUEST_VALUE    0x80 /* SPMIE */
#define ARCH_REQUEST_INTERRUPT()                                                                   \
    __extension__({                                                                                \
        __asm__ volatile(".global request_handler");                                               \
        *(volatile uint8_t *)ARCH_REQUEST_REGISTER = ARCH_REQUEST_VALUE;                           \
    })

/* While one of these bits is set, timer 0 would not wake the processor from a deep sleep. */
#define ARCH_BUSY_REGISTER 0x50 /* ASSR */
#define ARCH_BUSY_BITS     0x07 /* TCN0UB, OCR0UB, TCR0UB */

/* Start-up sets this bit (chip_init), and each reset clears it. By I/O address. */
#define ARCH_STARTED_REGISTER 0x08 /* ACSR */
#define ARCH_STARTED_BIT      7    /* ACD */

#ifdef __ASSEMBLER__
/* clang-format off */
/* Begins a whole slice while the slice timer, timer 2, is in use (slice.c).
 * changes: r24 */
    .macro slice_restart
    out  0x25, r1                       /* TCCR2: stop */
    out  0x24, r1                       /* TCNT2 */
    lds  r24, slice_whole
    out  0x23, r24                      /* OCR2 */
    ldi  r24, 0x80
    out  0x36, r24                      /* TIFR: OCF2 */
    sts  slice_over, r1
    sts  deferred_TIMER2_COMP, r1       /* of a slice before */
    ldi  r24, 0x0c
    out  0x25, r24                      /* TCCR2: WGM21, CS22 */
    .endm

/* Goes to a label if the slice timer has never been used. changes: r19 */
    .macro branch_unless_slices to
    in   r19, 0x37                      /* TIMSK: OCIE2 */
    sbrs r19, 7
    rjmp \to
    .endm
/* clang-format on */
#endif

#endif
