/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The temperature sensor (SAM R21 data sheet, NVM Temperature Log Row, and Electrical
 * Characteristics, Temperature Sensor).
 *
 * Its voltage is a line through two points, which the factory has measured at room temperature and
 * when hot, against a reference that is not quite 1 V and depends on the temperature, too. So the
 * temperature is found twice: with 1 V, and with the reference at the temperature found.
 */
#include "chip/adc.h"

#include <stdbool.h>

#include <lichen/error.h>

#include "chip/samr21/reg/nvmctrl.h"

enum {
    REFERENCE_MV = 1000,
    TENTHS_PER_DEGREE = 10,
    CENTIDEGREES_PER_TENTH = 10,
};

/* What the factory has measured at a temperature. */
struct point {
    int32_t centidegrees;
    int32_t reference_mv;
    int32_t microvolts; /* of the sensor */
};

static int32_t microvolts_of(uint32_t raw, int32_t reference_mv)
{
    return (int32_t)raw * reference_mv / NVM_TEMPERATURE_ADC_MAX * 1000 +
           (int32_t)raw * reference_mv % NVM_TEMPERATURE_ADC_MAX * 1000 / NVM_TEMPERATURE_ADC_MAX;
}

/* The reference is given as its distance below 1 V, in two's complement. */
static struct point point(uint32_t degrees, uint32_t tenths, uint32_t reference, uint32_t raw)
{
    struct point point = {
        .centidegrees = (int32_t)(degrees * TENTHS_PER_DEGREE + tenths) * CENTIDEGREES_PER_TENTH,
        .reference_mv = REFERENCE_MV - (int8_t)reference,
    };
    point.microvolts = microvolts_of(raw, point.reference_mv);
    return point;
}

static int32_t between(const struct point *room, const struct point *hot, uint32_t raw,
                       int32_t reference_mv)
{
    int32_t above = microvolts_of(raw, reference_mv) - room->microvolts;
    int32_t rise = (hot->microvolts - room->microvolts) / 10;

    return room->centidegrees + above / 10 * (hot->centidegrees - room->centidegrees) / rise;
}

int adc_temperature(uint16_t raw, int16_t *centidegrees)
{
    uint32_t low = NVM_TEMPERATURE_LOG[0], high = NVM_TEMPERATURE_LOG[1];
    struct point room =
        point(low & 0xff, low >> 8 & 0xf, low >> 24, high >> 8 & NVM_TEMPERATURE_ADC_MAX);
    struct point hot = point(low >> 12 & 0xff, low >> 20 & 0xf, high & 0xff, high >> 20);
    int32_t range = hot.centidegrees - room.centidegrees;

    if (range <= 0 || hot.microvolts - room.microvolts < 10) {
        return ERR_CORRUPT;
    }
    int32_t coarse = between(&room, &hot, raw, REFERENCE_MV);
    int32_t reference_mv = room.reference_mv + (hot.reference_mv - room.reference_mv) *
                                                   (coarse - room.centidegrees) / range;
    *centidegrees = (int16_t)between(&room, &hot, raw, reference_mv);
    return 0;
}
