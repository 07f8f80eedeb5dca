/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers and frames of the ARMv6-M system (ARMv6-M Architecture Reference Manual, chapters B1
 * and B3).
 */
#ifndef ARMV6M_SYSTEM_H
#define ARMV6M_SYSTEM_H

#include <stdint.h>

#include "layout.h"

/* SysTick, B3.3. */
#define SYST_CSR           (*(volatile uint32_t *)0xe000e010u)
#define SYST_CSR_ENABLE    (1u << 0)
#define SYST_CSR_TICKINT   (1u << 1)
#define SYST_CSR_CLKSOURCE (1u << 2)  /* the processor's clock */
#define SYST_CSR_COUNTFLAG (1u << 16) /* reached 0 since last read or restarted */
#define SYST_RVR           (*(volatile uint32_t *)0xe000e014u)
#define SYST_CVR           (*(volatile uint32_t *)SLICE_TIMER)

/* System control block, B3.2. */
#define SCB_VTOR             (*(volatile uint32_t *)0xe000ed08u)
#define SCB_AIRCR            (*(volatile uint32_t *)0xe000ed0cu)
#define AIRCR_KEY            (0x05fau << 16)
#define AIRCR_SYSRESETREQ    (1u << 2)
#define SCB_SHPR2            (*(volatile uint32_t *)0xe000ed1cu) /* SHPR3 follows */
#define SHPR2_SVC(level)     ((uint32_t)(level) << 30)
#define SHPR3_PENDSV(level)  ((uint32_t)(level) << 22)
#define SHPR3_SYSTICK(level) ((uint32_t)(level) << 30)

/* EXC_RETURN bit 2: the frame is on the process stack, B1.5.8. */
#define EXC_RETURN_PSP (1u << 2)

/* What the processor stacks on exception entry, B1.5.6. */
struct exception_frame {
    uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

static inline void interrupts_mask(void)
{
    __asm__ volatile("cpsid i" : : : "memory");
}

static inline uint32_t *stack_pointer(void)
{
    uint32_t *value;
    __asm__ volatile("mov %0, sp" : "=r"(value));
    return value;
}

static inline uint32_t ipsr(void)
{
    uint32_t value;
    __asm__ volatile("mrs %0, ipsr" : "=r"(value));
    return value;
}

#endif
