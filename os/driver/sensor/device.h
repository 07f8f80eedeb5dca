/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a part offers to lichen/sensor.h, and what a board says of it.
 *
 * A driver is constant: how a part is started, measures and is stopped. A device is one such part
 * on a board: os/board/<name>/<part>.c declares it, and the sensors that it is. One thread at a
 * time runs a device's functions, which may sleep.
 */
#ifndef DRIVER_SENSOR_DEVICE_H
#define DRIVER_SENSOR_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/mutex.h>
#include <lichen/sensor.h>

/* A kind of part. */
struct sensor_driver {
    const char *part; /* text */

    /* Makes the part ready, whatever state it is in, and checks what it is. Each returns 0, or an
     * error of sensor_read. A null pointer: there is nothing to do. */
    int (*start)(const ARCH_FLASH struct sensor_device *device);

    /* One activation: everything that the part measures, and then its least current. */
    int (*measure)(const ARCH_FLASH struct sensor_device *device, uint16_t *words);

    /* Least current. */
    int (*stop)(const ARCH_FLASH struct sensor_device *device);

    /* The value of a reading, whose raw value begins at the word of its number. */
    int32_t (*convert)(const uint16_t *raw, uint8_t reading);
};

/* What is known of a device. Guarded by the device's `lock`, except `activations`. */
struct sensor_state {
    uint64_t begun_us;            /* when the last activation began */
    volatile uint8_t activations; /* counts them; read without the lock */
    uint8_t error;                /* of the last one */
    bool is_started;
    bool is_known; /* there was an activation since it was stopped */
};

/* A part of a board. */
struct sensor_device {
    const ARCH_FLASH struct sensor_driver *driver;
    struct sensor_state *state;
    uint16_t *words;
    struct mutex *lock;
    uint8_t address; /* on its bus */
    uint8_t input;   /* the pin of its signal */
    uint8_t power;   /* the pin that switches it on or off */
};

/* Declares a device with its memory; what follows are its fields above, from `address` on. */
#define SENSOR_DEVICE(name, driver_, words_, ...)                                                  \
    static MUTEX(name##_lock);                                                                     \
    static struct sensor_state name##_state;                                                       \
    static uint16_t name##_words[words_];                                                          \
    static const ARCH_FLASH struct sensor_device name = {.driver = &(driver_),                     \
                                                         .state = &name##_state,                   \
                                                         .words = name##_words,                    \
                                                         .lock = &name##_lock,                     \
                                                         __VA_ARGS__}

/* Declares that a reading of a device is the board's sensor_<name>. */
#define SENSOR(name, device_, quantity_, reading_)                                                 \
    const ARCH_FLASH struct sensor sensor_##name = {                                               \
        .device = &(device_), .quantity = (quantity_), .reading = (reading_)}

/* The board's sensors in order, ended by a null pointer: os/board/<name>/sensors.c. */
extern const ARCH_FLASH struct sensor *const ARCH_FLASH board_sensors[];

#endif
