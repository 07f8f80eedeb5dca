/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SPI buses, with the mote as master. A device is a select line of a bus, with a mode and a rate.
 *
 *     static const struct spi_device flash = {
 *         .bus = &spi_board, .hz = 4000000, .select = GPIO_PIN('B', 3), .mode = 0};
 *     static const uint8_t read_identification = 0x9f;
 *     uint8_t identification[3];
 *     int error = spi_write_read(&flash, &read_identification, 1, identification, 3);
 *
 * and for events, which cannot wait:
 *
 *     EVENT(identified) { ... reading.result, identification ... }
 *     static struct spi_transfer reading = {.device = &flash, .out = &read_identification,
 *         .out_length = 1, .in = identification, .in_length = 3, .ended = &identified};
 *     ... int error = spi_start(&reading);
 *
 * The bus moves the bytes while other threads run or the processor sleeps: by DMA on the SAM R21,
 * by interrupts on the ATmega128. Transfers of all devices of a bus take turns, in the order in
 * which they were started; a device is selected throughout its transfer, and no other one
 * meanwhile. The master makes the clock, so a transfer ends whatever the device does. A missing
 * device is not noticed: its bytes are those of a line at rest.
 *
 * A select line floats until spi_open(): where several devices share a bus and their lines have no
 * resistors, all of them are opened before the first transfer.
 */
#ifndef LICHEN_SPI_H
#define LICHEN_SPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lichen/error.h>

struct event;
struct spi_bus;
struct syscall;

/* The bus of the board's connector (samr21-xpro), and that of its radio (hamilton, samr21-xpro,
 * micaz). A program that uses one that the board does not have does not link. */
extern struct spi_bus spi_board, spi_radio;

/* A device. Bytes are sent most significant bit first. */
struct spi_device {
    struct spi_bus *bus;
    uint32_t hz;    /* the fastest clock; the bus takes its own next slower one */
    uint8_t select; /* GPIO_PIN(...), selected while low */
    uint8_t mode;   /* 0 to 3: CPOL and CPHA */
};

/* A transfer that ends with an event. It sends bytes, while what comes in is ignored, then receives
 * bytes, while zeros are sent; it leaves out what has length 0. If `at_once`, bytes are received
 * into `in` while those of `out` are sent, and `in_length` does not count. */
struct spi_transfer {
    const struct spi_device *device;
    const void *out;
    void *in;
    size_t out_length;
    size_t in_length;
    struct event *ended;  /* posted at its end; 0: nothing */
    bool at_once;         /* sends and receives at once */
    volatile bool active; /* from its start to its end */
    uint8_t result;       /* as spi_write_read returns it, once it has ended */
    /* The driver's. */
    struct spi_transfer *next;
    struct syscall *call; /* the thread's that waits for it; 0: none */
};

/* Makes a device's select line an output, at rest.
 * context   init, event, thread, coop
 * blocks    no
 */
void spi_open(const struct spi_device *device);

/* Starts a transfer as soon as those that were started before on its bus have ended.
 * returns   0: it will end, and not within this call, and post its event; ERR_BUSY: it has been
 *           started and has not ended; ERR_INVALID: the mode is above 3, or the bus has no rate as
 *           slow as the device's, and nothing is sent
 * context   event, thread, coop
 * blocks    no
 * owns      the transfer and its bytes belong to the bus until it has ended or is cancelled
 */
MUST_CHECK int spi_start(struct spi_transfer *transfer);

/* Ends a transfer early: the device is selected no more. Its event is not posted, but may already
 * be pending.
 * returns   0, or ERR_EMPTY if it had ended
 * context   event, thread, coop
 * blocks    no       cost  O(n) transfers that wait
 */
int spi_cancel(struct spi_transfer *transfer);

/* Sends bytes, then receives bytes while zeros are sent; leaves out what has length 0.
 * returns   0; ERR_IO: a byte was lost, or memory cannot be accessed by DMA; ERR_INVALID as
 *           spi_start; after an error, `in` may be partly filled
 * context   thread
 * blocks    yes, until the transfers before it have ended, and then for its bits
 */
MUST_CHECK int spi_write_read(const struct spi_device *device, const void *out, size_t out_length,
                              void *in, size_t in_length);

/* Sends and receives bytes at once.
 * returns   as spi_write_read
 * context   thread
 * blocks    yes, as spi_write_read
 */
MUST_CHECK int spi_exchange(const struct spi_device *device, const void *out, void *in,
                            size_t length);

#endif
