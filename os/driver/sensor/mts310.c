/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The accelerometer of an MTS310, an ADXL202: a pin gives it power, and its outputs follow within
 * the time that the board's capacitors need.
 */
#include "driver/sensor/mts.h"

#include <lichen/adc.h>
#include <lichen/gpio.h>
#include <lichen/time.h>

#include "driver/sensor/mts310_conversion.h"

#define POWER GPIO_PIN('C', 4)
#define X     GPIO_PIN('F', 3)
#define Y     GPIO_PIN('F', 4)

enum {
    TURN_ON_MS = 17,
    NOBODY = 3,  /* no accelerometer */
    LEAST = 398, /* -2 g, its range, of 1,024 */
    MOST = 626,
};

static int read_axis(uint8_t pin, uint16_t *word)
{
    int error = adc_read(pin, ADC_MEAN_OF_16 | ADC_OF_SUPPLY, word);

    if (error == 0 && *word <= NOBODY) {
        return ERR_EMPTY;
    }
    return error != 0 || *word < LEAST || *word > MOST ? ERR_IO : 0;
}

/* A thread that ended within an activation may have left it with power. */
static int stop(const ARCH_FLASH struct sensor_device *device)
{
    (void)device;
    gpio_output(POWER, false);
    return 0;
}

static int measure(const ARCH_FLASH struct sensor_device *device, uint16_t *words)
{
    gpio_output(POWER, true);
    sleep_ms(TURN_ON_MS);
    int error = read_axis(X, &words[MTS310_ACCELERATION_X]);
    if (error == 0) {
        error = read_axis(Y, &words[MTS310_ACCELERATION_Y]);
    }
    (void)stop(device);
    return error;
}

static int32_t convert(const uint16_t *raw, uint8_t reading)
{
    return sensor_linear(&mts310_lines[reading], *raw);
}

static const char part[] ARCH_TEXT_PLACED(mts310) = "MTS310";

const ARCH_FLASH struct sensor_driver mts310_driver = {
    .part = part,
    .start = stop,
    .measure = measure,
    .stop = stop,
    .convert = convert,
};
