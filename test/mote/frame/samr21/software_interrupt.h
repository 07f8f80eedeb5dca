/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Interrupts requested by software, for tests of what interrupts may do: three lines of the SAM R21
 * that the tests do not use otherwise, one per level above the kernel's. The same names for every
 * chip; the number of levels differs:
 *
 *   SOFTWARE_INTERRUPT(level) { ... }     opens the handler of a level, 0 to LEVEL_KERNEL - 1
 *   SOFTWARE_INTERRUPTS(function)         defines all handlers: each calls function(level)
 *   SOFTWARE_INTERRUPTS_BY(of_level)      the same by a macro for each level
 *   SOFTWARE_EACH_LEVEL(of_level, name)   the macro of_level(level, name) for each level
 *   SOFTWARE_INTERRUPT_NUMBERS            as the host counts interrupts, a list in order of levels
 *   SOFTWARE_DRIVER_INTERRUPT()           opens the handler of one more at the drivers' level
 *   software_driver_interrupt_enable()    gives it its level
 *   software_driver_interrupt()           requests it
 *   software_interrupts_enable()          gives them their levels; all of them are defined
 *   software_interrupts(levels)           requests those of a set
 */
#ifndef TEST_MOTE_FRAME_SOFTWARE_INTERRUPT_H
#define TEST_MOTE_FRAME_SOFTWARE_INTERRUPT_H

#include <stdint.h>

#include <lichen/interrupt.h>

#define NVIC_ISER (*(volatile uint32_t *)0xe000e100u)
#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200u)
#define NVIC_IPR  ((volatile uint32_t *)0xe000e400u) /* four lines each */

/* lines.cmake defines SOFTWARE_LINE_0, the first of the three lines, which follow each other, their
 * vectors SOFTWARE_VECTOR_0 to _2, and a line and a vector more for the drivers' level. */

#define SOFTWARE_INTERRUPT(level)  SOFTWARE_INTERRUPT_(level)
#define SOFTWARE_INTERRUPT_(level) INTERRUPT(SOFTWARE_VECTOR_##level)

#define SOFTWARE_INTERRUPTS_BY(of_level) of_level(0) of_level(1) of_level(2)

#define SOFTWARE_INTERRUPTS(function)                                                              \
    SOFTWARE_INTERRUPT(0)                                                                          \
    {                                                                                              \
        function(0);                                                                               \
    }                                                                                              \
    SOFTWARE_INTERRUPT(1)                                                                          \
    {                                                                                              \
        function(1);                                                                               \
    }                                                                                              \
    SOFTWARE_INTERRUPT(2)                                                                          \
    {                                                                                              \
        function(2);                                                                               \
    }

#define SOFTWARE_EACH_LEVEL(of_level, name) of_level(0, name) of_level(1, name) of_level(2, name)

#define SOFTWARE_INTERRUPT_NUMBERS                                                                 \
    16u + SOFTWARE_LINE_0, 17u + SOFTWARE_LINE_0, 18u + SOFTWARE_LINE_0

/* All levels, as a set. */
#define SOFTWARE_LEVELS 7u

static inline void software_set_level(unsigned line, unsigned level)
{
    unsigned shift = line % 4u * 8u;

    NVIC_IPR[line / 4u] = (NVIC_IPR[line / 4u] & ~(0xffu << shift)) | level << (shift + 6u);
}

/* Gives the three lines their levels. */
static inline void software_interrupts_enable(void)
{
    for (unsigned level = 0; level < 3; level++) {
        software_set_level(SOFTWARE_LINE_0 + level, level);
    }
    NVIC_ISER = 7u << SOFTWARE_LINE_0;
}

/* Requests the interrupts of a set of levels (bit 0: level 0) at the same moment: the most urgent
 * comes first, and all have been served when a thread continues. */
static inline __attribute__((always_inline)) void software_interrupts(unsigned levels)
{
    NVIC_ISPR = levels << SOFTWARE_LINE_0;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

#define SOFTWARE_DRIVER_INTERRUPT() INTERRUPT(SOFTWARE_DRIVER_VECTOR)

static inline void software_driver_interrupt_enable(void)
{
    software_set_level(SOFTWARE_DRIVER_LINE, ARCH_LEVEL_DRIVER);
    NVIC_ISER = 1u << SOFTWARE_DRIVER_LINE;
}

static inline __attribute__((always_inline)) void software_driver_interrupt(void)
{
    NVIC_ISPR = 1u << SOFTWARE_DRIVER_LINE;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

#endif
