/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Analog pins of the SAM R21, and its converter without a clock. */
#include "adc_of_chip.h"
#include "test.h"

#define NVM_CALIBRATION ((volatile uint32_t *)0x00806020)
#define PINCFG_A(n)     (*(volatile uint8_t *)(0x41004440u + (n)))
#define PMUXEN          1u

TEST(the_converter_is_calibrated_by_the_factorys_values)
{
    uint64_t values = (uint64_t)NVM_CALIBRATION[1] << 32 | NVM_CALIBRATION[0];

    expect_equal(ADC_CALIB, (values >> 35 & 7) << 8 | (values >> 27 & 0xff));
    expect(ADC_CALIB != 0);
}

/* It is the console's on one board, and free on the other one. */
TEST(a_pin_that_serves_something_else_is_refused)
{
    bool is_used = PINCFG_A(7) & PMUXEN;
    uint16_t raw = 1;

    expect_equal(adc_read(ANALOG, ADC_ONCE, &raw), is_used ? ERR_BUSY : 0);
    expect_equal(raw, is_used ? 1 : 0);
    expect_equal(adc_read(ANALOG, ADC_ONCE, &raw), is_used ? ERR_BUSY : 0);
}

TEST(without_a_clock_nothing_waits_for_ever)
{
    uint16_t raw = 0;

    /* While a write is on its way, the clock stops. */
    GCLK_CLKCTRL = GCLK_CLKCTRL_ADC_32K;
    ADC_WINLT = 0;
    GCLK_CLKCTRL = GCLK_CLKCTRL_NO_ADC;
    expect_equal(adc_read(ADC_SUPPLY, ADC_ONCE, &raw), ERR_TIMEOUT);
    expect_equal(adc_read(ADC_SUPPLY, ADC_ONCE, &raw), ERR_TIMEOUT);
    GCLK_CLKCTRL = GCLK_CLKCTRL_ADC;
    expect_equal(adc_read(ADC_SUPPLY, ADC_ONCE, &raw), 0);
    expect_equal(raw, SUPPLY_RAW);
}

TEST(nor_with_one_that_is_much_too_slow)
{
    uint16_t raw = 0;

    GCLK_CLKCTRL = GCLK_CLKCTRL_ADC_32K;
    expect_equal(adc_read(ADC_BANDGAP, ADC_ONCE, &raw), ERR_TIMEOUT);
    GCLK_CLKCTRL = GCLK_CLKCTRL_ADC;
    expect_equal(adc_read(ADC_BANDGAP, ADC_ONCE, &raw), 0);
    expect(converter_is_off());
}
