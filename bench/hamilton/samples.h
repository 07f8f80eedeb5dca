/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread takes a sample of 2 bytes from the sensor of light, as in table 5 of the Hamilton paper.
 *
 *   sample_begin .. sample_end   the whole call, in the thread
 */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

#include <lichen/adc.h>
#include <lichen/assert.h>
#include <lichen/gpio.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../kernel/mark.h"

#define LIGHT_PIN GPIO_PIN('A', 8)

enum {
    SAMPLES_MS = 50,
};

static inline void sample_periodically(void)
{
    for (;;) {
        uint16_t raw;
        sleep_ms(SAMPLES_MS);
        BENCH_MARK(sample_begin);
        int error = adc_read(LIGHT_PIN, ADC_ONCE, &raw);
        BENCH_MARK(sample_end);
        assert(error == 0);
    }
}

#endif
