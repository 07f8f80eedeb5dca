/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A sample of 2 bytes, as a thread takes it from the sensor of light.
 *
 *   sample_call .. sample_return   the whole call. The processor sleeps in standby meanwhile, where
 *                                  its cycles stand still: they are the processor's time
 */
#include <lichen/adc.h>
#include <lichen/gpio.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../../kernel/mark.h"

#define INPUT GPIO_PIN('A', 8)

THREAD(sampler, 256, PRIORITY_APP)
{
    for (;;) {
        uint16_t raw;
        sleep_ms(100);
        BENCH_MARK(sample_call);
        (void)!adc_read(INPUT, ADC_ONCE, &raw);
        BENCH_MARK(sample_return);
    }
}
