/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter of alarms in microseconds: TCC2, which counts OSC8M divided by 8, whatever the
 * processor runs from (SAM R21 data sheet, section TCC).
 *
 * Its registers are synchronized to its clock, with a busy bit each; nothing here is accessed while
 * it is busy, which would stall the bus. The count is fetched by command. A count that the counter
 * has come to when the compare value arrives would not match until it has wrapped: then the
 * interrupt is requested by software.
 */
#include <lichen/interrupt.h>
#include <lichen/power.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/tcc.h"

CLOCK_NEEDS(clock_8m);

/* The counter needs OSC8M, which stops in standby. */
POWER_LIMIT(counter_limit);

static void wait_while(uint32_t busy)
{
    while (TCC2->SYNCBUSY & busy) {
    }
}

/* The bus clock of a counter that is off draws next to nothing, so it stays on. */
static void begin(void)
{
    shared_register_update(&PM->APBCMASK, PM_APBCMASK_TCC2, PM_APBCMASK_TCC2);
    clock_connect(GCLK_ID_TCC2_TC3, CLOCK_8M);
    chip_interrupt_enable(INTERRUPT_TCC2, LEVEL_DRIVER);
}

void chip_counter_start(void)
{
    power_limit(&counter_limit, CHIP_SLEEP_IDLE2);
    TCC2->CTRLA = TCC_CTRLA_PRESCALER_DIV8 | TCC_CTRLA_ENABLE;
    wait_while(TCC_SYNCBUSY_ENABLE);
}

void chip_counter_stop(void)
{
    TCC2->CTRLA = TCC_CTRLA_PRESCALER_DIV8;
    wait_while(TCC_SYNCBUSY_ENABLE);
    power_unlimit(&counter_limit);
}

uint16_t chip_counter_read(void)
{
    TCC2->CTRLBSET = TCC_CTRLB_CMD_READSYNC;
    wait_while(TCC_SYNCBUSY_CTRLB | TCC_SYNCBUSY_COUNT);
    return (uint16_t)TCC2->COUNT;
}

/* A count may be under way, and another one passes until a reading arrives. */
uint16_t chip_counter_counts(uint16_t us)
{
    return (uint16_t)(us + 2u);
}

void chip_counter_match(uint16_t count)
{
    TCC2->CC[0] = count;
    wait_while(TCC_SYNCBUSY_CC0);
    if ((int16_t)(count - chip_counter_read()) <= 0) {
        NVIC_ISPR = UINT32_C(1) << INTERRUPT_TCC2;
    }
}

/* The first of all calls. The interrupt has been withdrawn, or taken, when the register is read. */
void chip_counter_hold(void)
{
    if (!(PM->APBCMASK.value & PM_APBCMASK_TCC2)) {
        begin();
    }
    TCC2->INTENCLR = TCC_INT_MC0;
    (void)TCC2->INTENCLR;
    __asm__ volatile("" : : : "memory");
}

void chip_counter_release(void)
{
    __asm__ volatile("" : : : "memory");
    TCC2->INTENSET = TCC_INT_MC0;
}

INTERRUPT(TCC2)
{
    TCC2->INTFLAG = TCC_INT_MC0;
    kernel_counter_matched();
}
