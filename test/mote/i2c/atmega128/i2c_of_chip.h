/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The two-wire interface (samr21/i2c_of_chip.h has the names).
 */
#ifndef I2C_OF_CHIP_H
#define I2C_OF_CHIP_H

#include <avr/io.h>
#include <stdbool.h>

#include <lichen/error.h>

#include "machine.h"

enum {
    AROUND_US = EXTRA_US,
    GIVEN_UP_US = EXTRA_US,
    /* Nobody counts how long SCL is low, and the simulated interface does not see it. */
    SCL_IS_WATCHED = false,
    SCL_LOW_LEAST_US = 1,
    SCL_LOW_MOST_US = 1,
    READS_BY_DMA = false,
};

#define NO_MEMORY ((void *)0)

static inline bool bus_is_free(void)
{
    return (TWCR & (1 << TWINT | 1 << TWSTA | 1 << TWSTO)) == 0;
}

#endif
