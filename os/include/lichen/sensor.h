/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sensors: what the parts of a board measure.
 *
 *     int32_t millidegrees;
 *     int error = sensor_read(&sensor_temperature, 10000, &millidegrees);
 *
 * A sensor is one quantity that one part measures. A part measures all its quantities in one
 * activation, and keeps those that were not asked for: the humidity that is read next costs
 * nothing. Each call says how old a value may be; its age counts from the start of the activation.
 *
 * A failure is kept like a value: while it is younger than the caller's limit, the part is not
 * tried again. The next activation after a failure resets the part, and identifies it again.
 *
 * Two threads that read the same part share an activation; different parts measure at the same
 * time. The processor sleeps while they do. A part is started by its first reading, and draws its
 * least current in between. A program contains the drivers of the sensors that it names; one that
 * uses `sensor_at` names them all.
 *
 * A raw value is what the part puts out. It takes fewer bytes, and the host converts it by the same
 * tables: `lichen convert`.
 */
#ifndef LICHEN_SENSOR_H
#define LICHEN_SENSOR_H

#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/error.h>
#include <lichen/loaded.h>

/* What is measured, and the unit of its values. */
enum sensor_quantity {
    SENSOR_TEMPERATURE,         /* of the air or of a part; thousandths of a degree Celsius */
    SENSOR_HUMIDITY,            /* relative; thousandths of a percent */
    SENSOR_RADIANT_TEMPERATURE, /* of the surface in view; thousandths of a degree Celsius */
    SENSOR_LIGHT,               /* thousandths of a lux */
    SENSOR_ACCELERATION_X,      /* millionths of g */
    SENSOR_ACCELERATION_Y,
    SENSOR_ACCELERATION_Z,
    SENSOR_MAGNETIC_X, /* thousandths of a microtesla */
    SENSOR_MAGNETIC_Y,
    SENSOR_MAGNETIC_Z,
    SENSOR_MOTION, /* 1 if something has moved since the last activation, else 0 */
    SENSOR_SUPPLY, /* thousandths of a volt */
    SENSOR_QUANTITIES,
};

/* The largest number of 16-bit words that one raw value has. */
#define SENSOR_RAW_WORDS 2u

/* Limits of an age, milliseconds: always measure; accept any value. */
#define SENSOR_NEW     UINT32_C(0)
#define SENSOR_ANY_AGE UINT32_MAX

struct sensor_device;

/* A sensor, which os/board declares. Constant. */
struct sensor {
    const ARCH_FLASH struct sensor_device *device;
    uint8_t quantity; /* enum sensor_quantity */
    uint8_t reading;  /* which of the device's */
};

/* The sensors of a board. Where several parts measure a quantity, the board's best has the plain
 * name, and the others have numbers. Naming one that the board does not have fails to link.
 * doc/spec/sensor.md lists which board has which. */
extern const ARCH_FLASH struct sensor sensor_temperature, sensor_temperature_1,
    sensor_temperature_2, sensor_humidity, sensor_radiant_temperature, sensor_light,
    sensor_acceleration_x, sensor_acceleration_y, sensor_acceleration_z, sensor_magnetic_x,
    sensor_magnetic_y, sensor_magnetic_z, sensor_motion, sensor_supply;

/* The sensor of a quantity: how a program that is loaded looks up the names.
 * number    which one, if the board has several: 0 for the plain name
 * returns   the sensor; if the board has none, the calling program is stopped, as by an assertion
 * context   thread
 * blocks    no       cost  O(n) sensors of the board
 */
const ARCH_FLASH struct sensor *sensor_of(unsigned quantity, unsigned number);

#define SENSOR_NAMED(name, quantity, number)                                                       \
    IMAGE_OBJECT(name, sensor_of(SENSOR_##quantity, number))
#define sensor_temperature         SENSOR_NAMED(sensor_temperature, TEMPERATURE, 0)
#define sensor_temperature_1       SENSOR_NAMED(sensor_temperature_1, TEMPERATURE, 1)
#define sensor_temperature_2       SENSOR_NAMED(sensor_temperature_2, TEMPERATURE, 2)
#define sensor_humidity            SENSOR_NAMED(sensor_humidity, HUMIDITY, 0)
#define sensor_radiant_temperature SENSOR_NAMED(sensor_radiant_temperature, RADIANT_TEMPERATURE, 0)
#define sensor_light               SENSOR_NAMED(sensor_light, LIGHT, 0)
#define sensor_acceleration_x      SENSOR_NAMED(sensor_acceleration_x, ACCELERATION_X, 0)
#define sensor_acceleration_y      SENSOR_NAMED(sensor_acceleration_y, ACCELERATION_Y, 0)
#define sensor_acceleration_z      SENSOR_NAMED(sensor_acceleration_z, ACCELERATION_Z, 0)
#define sensor_magnetic_x          SENSOR_NAMED(sensor_magnetic_x, MAGNETIC_X, 0)
#define sensor_magnetic_y          SENSOR_NAMED(sensor_magnetic_y, MAGNETIC_Y, 0)
#define sensor_magnetic_z          SENSOR_NAMED(sensor_magnetic_z, MAGNETIC_Z, 0)
#define sensor_motion              SENSOR_NAMED(sensor_motion, MOTION, 0)
#define sensor_supply              SENSOR_NAMED(sensor_supply, SUPPLY, 0)

/* Reads a sensor.
 * max_age_ms  a value that is not older is returned without asking the part; SENSOR_NEW, up to 49
 *             days, or SENSOR_ANY_AGE. A call that waits for an activation under way takes its
 *             value in any case
 * value     in the unit of its quantity
 * returns   0; ERR_EMPTY: the part does not answer; ERR_TIMEOUT: its bus is stuck; ERR_IO: it is
 *           disturbed, another part than expected, or answers nonsense
 *           after an error, `value` is unchanged
 * context   thread
 * blocks    yes, for an activation (doc/spec/sensor.md); a part that fails takes at most as long,
 *           and what its bus takes to give up
 *           cost  for a value that is young enough a reading of the clock (time_now_us) and a
 *           conversion; no reading of the clock with SENSOR_ANY_AGE
 */
MUST_CHECK int sensor_read(const ARCH_FLASH struct sensor *sensor, uint32_t max_age_ms,
                           int32_t *value);

/* The same without conversion.
 * raw       SENSOR_RAW_WORDS words, of which sensor_raw_words() are written
 * returns   as sensor_read
 * context   thread
 * blocks    yes, as sensor_read
 */
MUST_CHECK int sensor_read_raw(const ARCH_FLASH struct sensor *sensor, uint32_t max_age_ms,
                               uint16_t *raw);

/* Starts the sensor's part, as its first reading does, even if it has been started: for a part that
 * needs time before it measures well, or to see whether it is there. Values that are kept stay.
 * returns   as sensor_read
 * context   thread
 * blocks    yes, as sensor_read
 */
MUST_CHECK int sensor_start(const ARCH_FLASH struct sensor *sensor);

/* Stops the sensor's part: it draws its least current, and forgets what was measured. The next
 * reading starts it again.
 * returns   0, or why the part did not take the command; it counts as stopped
 * context   thread
 * blocks    yes, as a transfer on its bus
 */
int sensor_stop(const ARCH_FLASH struct sensor *sensor);

/* How many words a raw value has.
 * returns   1 to SENSOR_RAW_WORDS
 * context   any
 * blocks    no
 */
unsigned sensor_raw_words(const ARCH_FLASH struct sensor *sensor);

/* The sensors of the board by index, those of a part one after the other.
 * returns   a null pointer if there are not as many
 * context   any
 * blocks    no
 */
const ARCH_FLASH struct sensor *sensor_at(unsigned index);

/* The part of a sensor.
 * returns   text, such as "HDC1080": lichen/print.h
 * context   any
 * blocks    no
 */
const char *sensor_part(const ARCH_FLASH struct sensor *sensor);

/* The name of a sensor's quantity, as in scenarios.
 * returns   text, such as "temperature"
 * context   any
 * blocks    no
 */
const char *sensor_name(const ARCH_FLASH struct sensor *sensor);

/* Room for a value as text, with its zero byte: sensor_text. */
#define SENSOR_TEXT_SIZE 16u

/* A value with its decimal point and unit, such as "-3.250 C", into `text`.
 * returns   its length
 * context   any
 * blocks    no
 */
size_t sensor_text(const ARCH_FLASH struct sensor *sensor, int32_t value, char *text);

#endif
