/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupts requested by software, for tests of what interrupts may do: three lines of the SAM R21
 * that the tests do not use otherwise, one per level above the kernel's. The program defines
 * INTERRUPT(TCC0), INTERRUPT(TCC1) and INTERRUPT(TCC2), of levels 0, 1 and 2.
 */
#ifndef TEST_MOTE_FRAME_SOFTWARE_INTERRUPT_H
#define TEST_MOTE_FRAME_SOFTWARE_INTERRUPT_H

#include <stdint.h>

#define NVIC_ISER (*(volatile uint32_t *)0xe000e100u)
#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200u)
#define NVIC_IPR3 (*(volatile uint32_t *)0xe000e40cu) /* lines 12 to 15 */
#define NVIC_IPR4 (*(volatile uint32_t *)0xe000e410u) /* lines 16 to 19 */

#define TCC0_LINE 15u

/* Gives the three lines their levels. */
static inline void software_interrupts_enable(void)
{
    NVIC_IPR3 = NVIC_IPR3 & 0x00ffffffu;                     /* TCC0: 0 */
    NVIC_IPR4 = (NVIC_IPR4 & 0xffff0000u) | 0x40u | 0x8000u; /* TCC1: 1, TCC2: 2 */
    NVIC_ISER = 7u << TCC0_LINE;
}

/* Requests the interrupts of a set of levels (bit 0: level 0) at the same moment: the most urgent
 * comes first, and all have been served when a thread continues. */
static inline void software_interrupts(unsigned levels)
{
    NVIC_ISPR = levels << TCC0_LINE;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

#endif
