/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Analog pins of the ATmega128: the thermistor of an MTS300, which has its power from a pin. */
#include "adc_of_chip.h"
#include "test.h"

#define THERMISTOR_POWER GPIO_PIN('C', 0)

TEST(a_pin_has_the_voltage_of_the_part_there)
{
    uint16_t raw = 0, millivolts = 0;

    gpio_output(THERMISTOR_POWER, true);
    expect_equal(adc_read(ANALOG, ADC_MEAN_OF_4, &raw), 0);
    expect_equal(raw, 460);
    expect_equal(adc_read_mv(ANALOG, ADC_ONCE, &millivolts), 0);
    expect_equal(millivolts, (460ul * SUPPLY_MV + 512) / 1024);
    gpio_output(THERMISTOR_POWER, false);
    expect_equal(adc_read(ANALOG, ADC_ONCE, &raw), 0);
    expect_equal(raw, 0);
}
