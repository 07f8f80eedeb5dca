/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An interrupt of the drivers' level that comes a given number of cycles from now, to be swept over
 * the instructions under test. The same names for every chip:
 *
 *   TIMED_INTERRUPT() { ... }    opens its handler
 *   timed_interrupt_enable()     called once, before the first timed_interrupt_in
 *   timed_interrupt_in(cycles)   requests it after `cycles` (at least 1) plus those that starting
 * the counter takes, always the same number timed_interrupt_stop()       it does not come any more
 *   timed_interrupt_urgent()     from now on nothing can interrupt its handler
 *   timed_interrupt_place()      in the handler: the address at which a thread was interrupted
 *
 * TC3 of the SAM R21 counts processor cycles once (data sheet, section Timer/Counter; 16-bit mode,
 * match frequency).
 */
#ifndef TEST_MOTE_FRAME_TIMED_INTERRUPT_H
#define TEST_MOTE_FRAME_TIMED_INTERRUPT_H

#include <stdint.h>

#include <lichen/interrupt.h>

#define PM_APBCMASK      (*(volatile uint32_t *)0x40000420u)
#define PM_APBCMASK_TC3  (1u << 11)
#define GCLK_STATUS      (*(volatile uint8_t *)0x40000c01u)
#define GCLK_CLKCTRL     (*(volatile uint16_t *)0x40000c02u)
#define GCLK_CLKCTRL_TC3 0x401bu /* CLKEN, generator 0, TCC2 and TC3 */
#define TC3_CTRLA        (*(volatile uint16_t *)0x42002c00u)
#define TC3_CTRLA_MFRQ   (1u << 5)
#define TC3_CTRLA_ENABLE (1u << 1)
#define TC3_INTENSET     (*(volatile uint8_t *)0x42002c0du)
#define TC3_INTFLAG      (*(volatile uint8_t *)0x42002c0eu)
#define TC3_INTFLAG_OVF  1u
#define TC3_STATUS       (*(volatile uint8_t *)0x42002c0fu)
#define TC3_COUNT        (*(volatile uint16_t *)0x42002c10u)
#define TC3_CC0          (*(volatile uint16_t *)0x42002c18u)
#define TC_GCLK_SYNCBUSY (1u << 7)
#define TIMED_NVIC_ISER  (*(volatile uint32_t *)0xe000e100u)
#define TIMED_NVIC_IPR4  (*(volatile uint32_t *)0xe000e410u)
#define TC3_LINE         18u

static inline void timed_interrupt_synchronized(void)
{
    while (TC3_STATUS & TC_GCLK_SYNCBUSY) {
    }
}

#define TIMED_INTERRUPT()                                                                          \
    static inline __attribute__((always_inline)) void timed_interrupt_body(void);                  \
    INTERRUPT(TC3)                                                                                 \
    {                                                                                              \
        timed_interrupt_stop();                                                                    \
        timed_interrupt_body();                                                                    \
    }                                                                                              \
    static inline __attribute__((always_inline)) void timed_interrupt_body(void)

static inline void timed_interrupt_enable(void)
{
    PM_APBCMASK |= PM_APBCMASK_TC3;
    GCLK_CLKCTRL = GCLK_CLKCTRL_TC3;
    while (GCLK_STATUS & TC_GCLK_SYNCBUSY) {
    }
    TC3_INTENSET = TC3_INTFLAG_OVF;
    TIMED_NVIC_IPR4 = (TIMED_NVIC_IPR4 & ~(0xffu << 16)) | (uint32_t)LEVEL_DRIVER << 22;
    TIMED_NVIC_ISER = 1u << TC3_LINE;
}

static inline __attribute__((always_inline)) void timed_interrupt_in(uint16_t cycles)
{
    TC3_CTRLA = TC3_CTRLA_MFRQ;
    timed_interrupt_synchronized();
    TC3_COUNT = 0;
    timed_interrupt_synchronized();
    TC3_CC0 = cycles;
    timed_interrupt_synchronized();
    TC3_CTRLA = TC3_CTRLA_MFRQ | TC3_CTRLA_ENABLE;
}

static inline void timed_interrupt_stop(void)
{
    TC3_CTRLA = TC3_CTRLA_MFRQ;
    TC3_INTFLAG = TC3_INTFLAG_OVF;
}

static inline void timed_interrupt_urgent(void)
{
    TIMED_NVIC_IPR4 &= ~(0xffu << 16);
}

/* The pc of the exception frame on the thread's stack. */
static inline uintptr_t timed_interrupt_place(void)
{
    const uint32_t *frame;
    __asm__ volatile("mrs %0, psp" : "=r"(frame));
    return frame[6];
}

#endif
