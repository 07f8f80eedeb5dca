/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Analog inputs: voltages at pins of the board, and those inside the chip.
 *
 *     uint16_t millivolts;
 *     int error = adc_read_mv(GPIO_PIN('A', 8), ADC_MEAN_OF_16, &millivolts);
 *
 * The converter is on during a conversion only, and the processor sleeps meanwhile if there is
 * nothing else to do: on the SAM R21 in standby, on the ATmega128 in ADC noise reduction mode. One
 * conversion is made at a time; requests of threads and events are served in the order in which
 * they come. Each is started when the result before it has been taken, so none can be overrun.
 *
 * A raw value is a fraction of the full scale: raw / ADC_FULL_SCALE of the supply, or of the chip's
 * reference. Use it for a part whose output is proportional to the supply. To convert it to
 * millivolts, the supply is measured each time, by a second conversion.
 *
 *                      SAM R21                           ATmega128
 *     ADC_FULL_SCALE   4,096                             1,024
 *     reference        1.0 V, within 2 %                 1.23 V, the bandgap, from 1.15 to 1.40 V:
 *                                                        millivolts may be off as far
 *     one sample       20 us; 40 us after a change of    217 us
 *                      full scale, and of own inputs
 *     each of a mean   20 us, added by hardware          113 us and up to 26 us for an interrupt
 *
 * The SAM R21 converts with the factory's values for linearity and bias. A source of more than
 * 200 kohm (ATmega128: 10 kohm) needs a capacitor at the pin.
 */
#ifndef LICHEN_ADC_H
#define LICHEN_ADC_H

#include <stdint.h>

#include <lichen/chip.h>
#include <lichen/error.h>

struct event;

/* Raw values are less than this. */
#define ADC_FULL_SCALE CHIP_ADC_FULL_SCALE

/* Inputs other than pins; pins are named as in lichen/gpio.h. */
enum adc_own_input {
    ADC_SUPPLY = 0xf0,  /* the chip's supply. Raw: on the SAM R21 a quarter of the supply over the
                           reference; on the ATmega128 the reference over the supply */
    ADC_BANDGAP = 0xf1, /* the bandgap: 1.1 V on the SAM R21, 1.23 V on the ATmega128 */
    ADC_TEMPERATURE =
        0xf2, /* the SAM R21's sensor, always over the reference: adc_read_temperature */
};

/* How a conversion is made: one of each group, combined by |. */
enum adc_option {
    ADC_ONCE = 0, /* one sample */
    ADC_MEAN_OF_2 = 1,
    ADC_MEAN_OF_4 = 2,
    ADC_MEAN_OF_8 = 3,
    ADC_MEAN_OF_16 = 4,
    ADC_MEAN_OF_32 = 5,
    ADC_MEAN_OF_64 = 6,
    ADC_MEAN_OF_128 = 7,
    ADC_MEAN_OF_256 = 8,
    ADC_MEAN_OF_512 = 9,
    ADC_MEAN_OF_1024 = 10,

    ADC_OF_SUPPLY = 0,         /* full scale is the supply */
    ADC_OF_REFERENCE = 1 << 4, /* full scale is the reference of 1.0 V; SAM R21 only: the MICAs
                                  connect the ATmega128's to the supply */

    ADC_IN_MILLIVOLTS = 1 << 5, /* for adc_start: also in millivolts */
};

/* A conversion for adc_start. */
struct adc_request {
    uint8_t input;            /* a pin, or enum adc_own_input; the caller's */
    uint8_t options;          /* enum adc_option; the caller's */
    struct event *done;       /* posted at the end; the caller's. 0: none */
    uint16_t raw;             /* the result, if there is no error; the driver's */
    uint16_t millivolts;      /* the same, with ADC_IN_MILLIVOLTS; the driver's */
    uint8_t error;            /* enum error, at the end; ERR_BUSY until then; the driver's */
    uint8_t stage;            /* the driver's */
    struct adc_request *next; /* the driver's */
};

/* Requests a conversion, and posts request->done when it has ended.
 * returns   0: the event will come, once, and request->error says how it has ended; otherwise no
 *           event comes
 *           ERR_INVALID: this board has no such analog pin, or this chip no such input or option
 *           ERR_BUSY: the pin serves another peripheral; ERR_TIMEOUT: the converter has no clock
 *           If other requests are under way, the latter two are in request->error instead
 * context   event, thread
 * blocks    no       cost  30 us at 8 MHz [bench hamilton]
 * owns      `request` belongs to the driver until the event
 */
MUST_CHECK int adc_start(struct adc_request *request);

/* Reads an input once, or several times for their mean.
 * options   enum adc_option
 * raw       less than ADC_FULL_SCALE
 * returns   0; ERR_INVALID, ERR_BUSY or ERR_TIMEOUT as adc_start
 * context   thread
 * blocks    yes, for the conversions, and those that were requested before
 *           cost  of the processor, 989 cycles on the SAM R21 for one sample [bench hamilton]
 */
MUST_CHECK int adc_read(uint8_t input, unsigned options, uint16_t *raw);

/* The same in millivolts. If full scale is the supply, that is measured as well, which takes
 * another conversion.
 * returns   as adc_read
 * context   thread
 * blocks    yes, as adc_read
 */
MUST_CHECK int adc_read_mv(uint8_t input, unsigned options, uint16_t *millivolts);

/* The chip's temperature, by the factory's calibration at two temperatures: on the SAM R21 within
 * 10 degrees.
 * centidegrees  hundredths of a degree Celsius
 * returns   as adc_read; ERR_INVALID on the ATmega128, which has no sensor; ERR_CORRUPT if the
 *           factory's values are missing
 * context   thread
 * blocks    yes, as adc_read
 */
MUST_CHECK int adc_read_temperature(int16_t *centidegrees);

#endif
