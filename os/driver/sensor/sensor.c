/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reading sensors: what an activation has brought is kept in the device's memory, a failure
 * included, until a caller wants it younger.
 *
 * A thread that has waited for its turn while another one measured takes what that one has found:
 * it knows by the count of activations, which it has read before it waited. A thread that ends
 * within an activation leaves a part in an unknown state, so its successor starts the part again.
 *
 * The clock is read once in a call, before the activation, and then gives the value's age and the
 * time of what replaces it.
 */
#include <lichen/sensor.h>

#include <lichen/time.h>

#include "driver/sensor/device.h"

static void enter(const ARCH_FLASH struct sensor_device *device)
{
    if (mutex_lock(device->lock) != 0) {
        device->state->is_started = false;
        device->state->is_known = false;
    }
}

static int get_ready(const ARCH_FLASH struct sensor_device *device)
{
    struct sensor_state *state = device->state;
    int error = 0;

    if (!state->is_started && device->driver->start != 0) {
        error = device->driver->start(device);
    }
    state->is_started = error == 0;
    return error;
}

static void activate(const ARCH_FLASH struct sensor_device *device, uint64_t now)
{
    struct sensor_state *state = device->state;
    int error = get_ready(device);

    if (error == 0) {
        error = device->driver->measure(device, device->words);
    }
    state->is_started = error == 0;
    state->begun_us = now;
    state->error = (uint8_t)error;
    state->is_known = true;
    state->activations++;
}

/* Makes sure that what is known of the device is young enough. With the lock.
 * activations  their count when the call began
 */
static void refresh(const ARCH_FLASH struct sensor_device *device, uint32_t max_age_ms,
                    uint8_t activations)
{
    const struct sensor_state *state = device->state;
    bool is_shared = state->activations != activations;

    if (state->is_known && (is_shared || max_age_ms == SENSOR_ANY_AGE)) {
        return;
    }
    uint64_t now = time_now_us();
    if (!state->is_known || now - state->begun_us > max_age_ms * TIME_US_PER_MS ||
        max_age_ms == SENSOR_NEW) {
        activate(device, now);
    }
}

/* The lock with a young enough result; the caller releases it. */
static int enter_with_result(const ARCH_FLASH struct sensor_device *device, uint32_t max_age_ms)
{
    uint8_t activations = device->state->activations;

    enter(device);
    refresh(device, max_age_ms, activations);
    return device->state->error;
}

int sensor_read(const ARCH_FLASH struct sensor *sensor, uint32_t max_age_ms, int32_t *value)
{
    const ARCH_FLASH struct sensor_device *device = sensor->device;
    int error = enter_with_result(device, max_age_ms);

    if (error == 0) {
        *value = device->driver->convert(&device->words[sensor->reading], sensor->reading);
    }
    mutex_unlock(device->lock);
    return error;
}

int sensor_read_raw(const ARCH_FLASH struct sensor *sensor, uint32_t max_age_ms, uint16_t *raw)
{
    const ARCH_FLASH struct sensor_device *device = sensor->device;
    int error = enter_with_result(device, max_age_ms);

    for (unsigned i = 0; error == 0 && i < sensor_raw_words(sensor); i++) {
        raw[i] = device->words[sensor->reading + i];
    }
    mutex_unlock(device->lock);
    return error;
}

int sensor_start(const ARCH_FLASH struct sensor *sensor)
{
    const ARCH_FLASH struct sensor_device *device = sensor->device;

    enter(device);
    device->state->is_started = false;
    int error = get_ready(device);
    mutex_unlock(device->lock);
    return error;
}

int sensor_stop(const ARCH_FLASH struct sensor *sensor)
{
    const ARCH_FLASH struct sensor_device *device = sensor->device;
    int error = 0;

    enter(device);
    if (device->driver->stop != 0) {
        error = device->driver->stop(device);
    }
    device->state->is_started = false;
    device->state->is_known = false;
    mutex_unlock(device->lock);
    return error;
}

unsigned sensor_raw_words(const ARCH_FLASH struct sensor *sensor)
{
    return sensor->quantity == SENSOR_RADIANT_TEMPERATURE ? 2 : 1;
}

const char *sensor_part(const ARCH_FLASH struct sensor *sensor)
{
    return sensor->device->driver->part;
}
