/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Simulator benchmark: naps in standby, 1,000 a second, between which the mote does next to
 * nothing.
 *
 * What counts is how long the host takes for falling asleep and waking, with the clocks that stop
 * and start. So the RTC interrupts without the kernel's clock, whose alarms take some hundred
 * instructions: it counts 32 cycles of the internal oscillator that never stops, again and again.
 */
#include <lichen/init.h>
#include <lichen/interrupt.h>

#define GCLK_STATUS  (*(volatile uint8_t *)0x40000c01u)
#define GCLK_CLKCTRL (*(volatile uint16_t *)0x40000c02u)
#define GCLK_GENCTRL (*(volatile uint32_t *)0x40000c04u)
#define GCLK_GENDIV  (*(volatile uint32_t *)0x40000c08u)
#define RTC_CTRL     (*(volatile uint16_t *)0x40001400u)
#define RTC_INTENSET (*(volatile uint8_t *)0x40001407u)
#define RTC_INTFLAG  (*(volatile uint8_t *)0x40001408u)
#define RTC_STATUS   (*(volatile uint8_t *)0x4000140au)
#define RTC_COMP     (*(volatile uint32_t *)0x40001418u)
#define NVIC_ISER    (*(volatile uint32_t *)0xe000e100u)

enum {
    GENERATOR = 5,
    SOURCE_OSCULP32K = 3 << 8,
    GENERATOR_ENABLE = 1 << 16,
    CLOCK_RTC = 4,
    CLOCK_ENABLE = 1 << 14,
    RTC_ENABLE = 1 << 1,
    RTC_MATCH_CLEARS = 1 << 7,
    RTC_COMPARE = 1 << 0,
    LINE_RTC = 3,
};

static void start(void)
{
    GCLK_GENDIV = GENERATOR;
    GCLK_GENCTRL = GENERATOR | SOURCE_OSCULP32K | GENERATOR_ENABLE;
    GCLK_CLKCTRL = CLOCK_RTC | GENERATOR << 8 | CLOCK_ENABLE;
    while (GCLK_STATUS) {
    }
    RTC_COMP = 31;
    while (RTC_STATUS) {
    }
    RTC_INTENSET = RTC_COMPARE;
    RTC_CTRL = RTC_MATCH_CLEARS | RTC_ENABLE;
    NVIC_ISER = 1u << LINE_RTC;
}
INIT(start);

INTERRUPT(RTC)
{
    RTC_INTFLAG = RTC_COMPARE;
}
