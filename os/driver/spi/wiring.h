/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SPI buses. Defined by os/board/<name>, which also gives the port's interrupts to
 * `spi_interrupt`. */
#ifndef DRIVER_SPI_WIRING_H
#define DRIVER_SPI_WIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/power.h>
#include <lichen/spi.h>

struct spi_port;

/* A bus. */
struct spi_bus {
    const ARCH_FLASH struct spi_port *port; /* constant, like the next two */
    struct event *ended;                    /* the interrupt has ended the transfer under way */
    volatile uint8_t *limit;                /* of sleep */
    struct spi_transfer *first;             /* the list, the first one under way; kernel level */
    uint32_t hz;                            /* that the port is set for; 0: none; kernel level */
    /* The transfer under way; written by the interrupt while `active`. */
    const uint8_t *out;
    uint8_t *in;
    size_t left;
    uint8_t *then_in;
    size_t then_left;
    volatile bool active;
    uint8_t result;
    uint8_t mode; /* that the port is set for; kernel level */
};

/* Declares a bus. */
#define SPI_BUS(name, port_)                                                                       \
    POWER_LIMIT(name##_limit);                                                                     \
    EVENT(name##_ended)                                                                            \
    {                                                                                              \
        spi_ended(&name);                                                                          \
    }                                                                                              \
    struct spi_bus name = {.port = &(port_), .ended = &name##_ended, .limit = &name##_limit};      \
    static void name##_open(void)                                                                  \
    {                                                                                              \
        spi_bus_open(&name);                                                                       \
    }                                                                                              \
    INIT_IN(DRIVERS, name##_open)

/* Starts a bus. */
void spi_bus_open(struct spi_bus *bus);

/* Serves an interrupt of the bus. */
void spi_interrupt(struct spi_bus *bus);

/* The event of its end. */
void spi_ended(struct spi_bus *bus);

#endif
