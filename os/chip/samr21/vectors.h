/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Handlers that the vector table leads to. */
#ifndef SAMR21_VECTORS_H
#define SAMR21_VECTORS_H

/* Provided by the architecture. */
void reset_handler(void);
void hard_fault_handler(void);
void unexpected_handler(void); /* for lines that nobody takes */

/* Provided by the architecture in programs that have the kernel level. */
void svc_handler(void);
void pendsv_handler(void);

/* Taken by whoever defines them. */
void NMI_handler(void);
void SysTick_handler(void);
void PM_handler(void);
void SYSCTRL_handler(void);
void WDT_handler(void);
void RTC_handler(void);
void EIC_handler(void);
void NVMCTRL_handler(void);
void DMAC_handler(void);
void USB_handler(void);
void EVSYS_handler(void);
void SERCOM0_handler(void);
void SERCOM1_handler(void);
void SERCOM2_handler(void);
void SERCOM3_handler(void);
void SERCOM4_handler(void);
void SERCOM5_handler(void);
void TCC0_handler(void);
void TCC1_handler(void);
void TCC2_handler(void);
void TC3_handler(void);
void TC4_handler(void);
void TC5_handler(void);
void ADC_handler(void);
void AC_handler(void);
void PTC_handler(void);

#endif
