/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The vector table (SAM R21 data sheet, section Nested Vectored Interrupt Controller).
 *
 * A handler is taken by defining a function of the name in the table, anywhere in the program. A
 * line that nobody takes leads to `unexpected_handler`, which panics and names the line.
 */
#include "chip/samr21/vectors.h"

#include "chip/samr21/interrupt.h"

extern char kernel_stack_top[];

/* ARMv6-M exceptions by number. */
enum {
    EXCEPTION_RESET = 1,
    EXCEPTION_NMI = 2,
    EXCEPTION_HARD_FAULT = 3,
    EXCEPTION_SVC = 11,
    EXCEPTION_PENDSV = 14,
    EXCEPTION_SYSTICK = 15,
};

/* An alias must be defined where it is made. */
static __attribute__((used)) void nobody(void)
{
    unexpected_handler();
}

#define UNLESS_DEFINED __attribute__((weak, alias("nobody")))

/* A request for the kernel level in a program that has none wakes the processor, nothing more. */
__attribute__((weak)) void pendsv_handler(void)
{
}

UNLESS_DEFINED void NMI_handler(void);
UNLESS_DEFINED void svc_handler(void);
UNLESS_DEFINED void SysTick_handler(void);
UNLESS_DEFINED void PM_handler(void);
UNLESS_DEFINED void SYSCTRL_handler(void);
UNLESS_DEFINED void WDT_handler(void);
UNLESS_DEFINED void RTC_handler(void);
UNLESS_DEFINED void EIC_handler(void);
UNLESS_DEFINED void NVMCTRL_handler(void);
UNLESS_DEFINED void DMAC_handler(void);
UNLESS_DEFINED void USB_handler(void);
UNLESS_DEFINED void EVSYS_handler(void);
UNLESS_DEFINED void SERCOM0_handler(void);
UNLESS_DEFINED void SERCOM1_handler(void);
UNLESS_DEFINED void SERCOM2_handler(void);
UNLESS_DEFINED void SERCOM3_handler(void);
UNLESS_DEFINED void SERCOM4_handler(void);
UNLESS_DEFINED void SERCOM5_handler(void);
UNLESS_DEFINED void TCC0_handler(void);
UNLESS_DEFINED void TCC1_handler(void);
UNLESS_DEFINED void TCC2_handler(void);
UNLESS_DEFINED void TC3_handler(void);
UNLESS_DEFINED void TC4_handler(void);
UNLESS_DEFINED void TC5_handler(void);
UNLESS_DEFINED void ADC_handler(void);
UNLESS_DEFINED void AC_handler(void);
UNLESS_DEFINED void PTC_handler(void);

/* Numbers of the vectors by name, for real-time tasks (lichen/rt.h): absolute symbols, no memory.
 */
#define NUMBER(vector, number)                                                                     \
    _Static_assert(INTERRUPT_##vector == (number), #vector);                                       \
    __asm__(".global interrupt_vector_" #vector "\n.set interrupt_vector_" #vector ", " #number)
NUMBER(PM, 0);
NUMBER(SYSCTRL, 1);
NUMBER(WDT, 2);
NUMBER(RTC, 3);
NUMBER(EIC, 4);
NUMBER(NVMCTRL, 5);
NUMBER(DMAC, 6);
NUMBER(USB, 7);
NUMBER(EVSYS, 8);
NUMBER(SERCOM0, 9);
NUMBER(SERCOM1, 10);
NUMBER(SERCOM2, 11);
NUMBER(SERCOM3, 12);
NUMBER(SERCOM4, 13);
NUMBER(SERCOM5, 14);
NUMBER(TCC0, 15);
NUMBER(TCC1, 16);
NUMBER(TCC2, 17);
NUMBER(TC3, 18);
NUMBER(TC4, 19);
NUMBER(TC5, 20);
NUMBER(ADC, 23);
NUMBER(AC, 24);
NUMBER(PTC, 26);

struct vector_table {
    void *initial_stack;
    void (*exception[15])(void);
    void (*interrupt[INTERRUPT_COUNT])(void);
};

extern const struct vector_table vectors; /* named by the linker script */
__attribute__((section(".vectors"), used)) const struct vector_table vectors = {
    .initial_stack = kernel_stack_top,
    .exception =
        {
            [EXCEPTION_RESET - 1] = reset_handler,
            [EXCEPTION_NMI - 1] = NMI_handler,
            [EXCEPTION_HARD_FAULT - 1] = hard_fault_handler,
            [EXCEPTION_SVC - 1] = svc_handler,
            [EXCEPTION_PENDSV - 1] = pendsv_handler,
            [EXCEPTION_SYSTICK - 1] = SysTick_handler,
        },
    .interrupt =
        {
            [INTERRUPT_PM] = PM_handler,           [INTERRUPT_SYSCTRL] = SYSCTRL_handler,
            [INTERRUPT_WDT] = WDT_handler,         [INTERRUPT_RTC] = RTC_handler,
            [INTERRUPT_EIC] = EIC_handler,         [INTERRUPT_NVMCTRL] = NVMCTRL_handler,
            [INTERRUPT_DMAC] = DMAC_handler,       [INTERRUPT_USB] = USB_handler,
            [INTERRUPT_EVSYS] = EVSYS_handler,     [INTERRUPT_SERCOM0] = SERCOM0_handler,
            [INTERRUPT_SERCOM1] = SERCOM1_handler, [INTERRUPT_SERCOM2] = SERCOM2_handler,
            [INTERRUPT_SERCOM3] = SERCOM3_handler, [INTERRUPT_SERCOM4] = SERCOM4_handler,
            [INTERRUPT_SERCOM5] = SERCOM5_handler, [INTERRUPT_TCC0] = TCC0_handler,
            [INTERRUPT_TCC1] = TCC1_handler,       [INTERRUPT_TCC2] = TCC2_handler,
            [INTERRUPT_TC3] = TC3_handler,         [INTERRUPT_TC4] = TC4_handler,
            [INTERRUPT_TC5] = TC5_handler,         [INTERRUPT_ADC] = ADC_handler,
            [INTERRUPT_AC] = AC_handler,           [INTERRUPT_PTC] = PTC_handler,
        },
};
