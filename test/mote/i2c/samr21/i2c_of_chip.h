/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The bus of a Hamilton, SERCOM3. The same names for every chip.
 */
#ifndef I2C_OF_CHIP_H
#define I2C_OF_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/error.h>

#define SERCOM3_STATUS (*(volatile uint16_t *)0x4200141au)
#define BUSSTATE       (3u << 4)
#define BUSSTATE_IDLE  (1u << 4)

enum {
    /* Of a transfer's system calls, and of two readings of the clock. */
    AROUND_US = 1500,
    /* The same for one that is given up. */
    GIVEN_UP_US = 1200,
    /* The port counts how long SCL is low, 25 to 35 ms. */
    SCL_IS_WATCHED = true,
    SCL_LOW_LEAST_US = 25000,
    SCL_LOW_MOST_US = 37000,
    /* What is read moves by DMA, up to so many bytes. */
    READS_BY_DMA = true,
};

#define NO_MEMORY ((void *)0x30000000)

static inline bool bus_is_free(void)
{
    return (SERCOM3_STATUS & BUSSTATE) == BUSSTATE_IDLE;
}

#endif
