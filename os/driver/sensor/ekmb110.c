/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* EKMB110: an edge wakes the mote when something begins to move, and is kept until the next
 * activation, which costs no more than a look at the pin. For the first half minute after its
 * supply the part may report motion where there is none (data sheet, "Circuit stability time").
 */
#include "driver/sensor/ekmb110.h"

#include <lichen/event.h>
#include <lichen/gpio.h>

static volatile bool has_moved; /* since the last activation; set at the kernel level */

EVENT(ekmb110_motion_begins)
{
    has_moved = true;
}

static int begin(const ARCH_FLASH struct sensor_device *device)
{
    gpio_input(device->input, GPIO_PULL_NONE);
    return gpio_event_on_edge(device->input, GPIO_EDGE_RISING, &ekmb110_motion_begins) != 0 ? ERR_IO
                                                                                            : 0;
}

static int stop(const ARCH_FLASH struct sensor_device *device)
{
    int error = gpio_event_on_edge(device->input, GPIO_EDGE_NONE, 0);

    has_moved = false;
    return error;
}

/* An edge after the first line is of the next activation, or the pin is still high. */
static int measure(const ARCH_FLASH struct sensor_device *device, uint16_t *words)
{
    bool moved = has_moved;

    has_moved = false;
    *words = moved || gpio_read(device->input);
    return 0;
}

static int32_t convert(const uint16_t *raw, uint8_t reading)
{
    (void)reading;
    return *raw;
}

static const char part[] ARCH_TEXT_PLACED(ekmb110) = "EKMB110";

const ARCH_FLASH struct sensor_driver ekmb110_driver = {
    .part = part,
    .start = begin,
    .measure = measure,
    .stop = stop,
    .convert = convert,
};
