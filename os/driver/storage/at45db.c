/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Data flash AT45DB041B (Atmel data sheet 3443): pages of 264 bytes, of which 256 are used.
 *
 * The part writes a page from a buffer of its own, erases the page before, and compares the two
 * afterwards, so a page goes over the wires once. The calling thread sleeps while the part works;
 * it polls only for what is done in 0.25 ms.
 */
#include "driver/storage/at45db.h"

#include <stdbool.h>

#include <lichen/init.h>
#include <lichen/storage.h>
#include <lichen/time.h>

#include "driver/storage/at45db_wiring.h"
#include "driver/storage/crc.h"

/* Commands for modes 0 and 3 (table 1 to 4). */
enum command {
    WRITE_BUFFER = 0x84,
    READ_BUFFER = 0xd4,
    PROGRAM_ERASING = 0x83, /* from the buffer */
    COMPARE = 0x60,         /* with the buffer */
    ERASE_PAGE = 0x81,
    READ_PAGE = 0xd2,
    READ_STATUS = 0xd7,
};

enum {
    READY = 1 << 7,
    DIFFERS = 1 << 6,
    DENSITY = 0x0f << 2,
    DENSITY_4_MBIT = 0x07 << 2,
    READ_PAGE_IDLE = 4, /* bytes that do not matter */
    QUICK_POLLS = 12,   /* 40 us each: longer than the part compares */
    SLOW_POLLS = 40,    /* 1 ms each, after the time that the data sheet gives */
    COMMAND_TRIES = 3,
};

INIT_IN(DRIVERS, at45db_wires_open);

static void begin(enum command command)
{
    at45db_wires_select(false); /* a thread may have ended within a command */
    at45db_wires_select(true);
    at45db_wires_send(command);
}

static void begin_at(enum command command, uint16_t page, uint8_t offset)
{
    begin(command);
    at45db_wires_send((uint8_t)(page >> 7));
    at45db_wires_send((uint8_t)(page << 1));
    at45db_wires_send(offset);
}

static void end(void)
{
    at45db_wires_select(false);
}

static __attribute__((noinline)) uint8_t status(void)
{
    begin(READ_STATUS);
    uint8_t value = at45db_wires_receive();
    end();
    return value;
}

/* Waits until the part is ready. */
static int await(uint8_t *value)
{
    for (uint8_t polls = 0; polls < QUICK_POLLS + SLOW_POLLS; polls++) {
        *value = status();
        if ((*value & DENSITY) != DENSITY_4_MBIT) {
            return ERR_IO;
        }
        if (*value & READY) {
            return 0;
        }
        if (polls >= QUICK_POLLS) {
            sleep_ms(1);
        }
    }
    return ERR_IO;
}

/* Begins a read of a page, when the part is ready. */
static __attribute__((noinline)) int begin_read(uint16_t page, uint8_t offset)
{
    uint8_t value;
    int error = await(&value);

    if (error == 0) {
        begin_at(READ_PAGE, page, offset);
        for (uint8_t i = 0; i < READ_PAGE_IDLE; i++) {
            at45db_wires_send(0);
        }
    }
    return error;
}

/* Reads twice: a part that fails in the middle gives something else the other time, or does not
 * answer when it is asked whether it is ready. */
int at45db_read(uint16_t page, uint8_t offset, void *bytes, uint16_t length)
{
    bool differs = false;

    for (uint8_t pass = 0; pass < 2; pass++) {
        uint8_t *at = bytes;
        int error = begin_read(page, offset);
        if (error != 0) {
            return error;
        }
        for (uint16_t left = length; left > 0; left--, at++) {
            uint8_t before = *at;
            *at = at45db_wires_receive();
            differs = differs || (pass != 0 && *at != before);
        }
    }
    end();
    return differs ? ERR_IO : 0;
}

/* The part is asked afterwards, too: a page that it did not send to the end is not torn. */
int at45db_crc(uint16_t page, uint8_t offset, uint16_t length, uint16_t *crc)
{
    uint8_t value;
    int error = begin_read(page, offset);

    if (error == 0) {
        uint16_t sum = *crc;
        for (; length > 0; length--) {
            sum = crc16_add(sum, at45db_wires_receive());
        }
        *crc = sum;
        error = await(&value);
    }
    return error;
}

/* Fills the buffer with some bytes and ones, and reads it: a part that fails in the middle has
 * something else there, with which it would replace a good page, and compare that as equal. */
static __attribute__((noinline)) int fill_buffer(const uint8_t *bytes, uint16_t length)
{
    uint8_t differs = 0;

    for (uint8_t pass = 0; pass < 2; pass++) {
        begin_at(pass == 0 ? WRITE_BUFFER : READ_BUFFER, 0, 0);
        if (pass != 0) {
            at45db_wires_send(0);
        }
        const uint8_t *at = bytes;
        uint8_t left = 0; /* of 256 */
        do {
            uint8_t byte = at < bytes + length ? *at++ : 0xff;
            if (pass == 0) {
                at45db_wires_send(byte);
            } else {
                differs |= at45db_wires_receive() ^ byte;
            }
        } while (--left != 0);
    }
    end();
    return differs != 0 ? ERR_IO : 0;
}
_Static_assert(sizeof(struct storage_page) == 256, "bytes of the buffer that are used");

/* Lets the part work on a page, and sleeps for the longest time that the data sheet gives (t_EP of
 * 20 ms; 8 ms for an erasure is less). Returns ERR_BUSY if the part is ready at once: it has not
 * taken the command, or this thread was held up for as long as the part works. That cannot be told
 * apart, so it is done again. */
static int work(enum command command, uint16_t page)
{
    uint8_t value;

    begin_at(command, page, 0);
    end();
    if (status() & READY) {
        return ERR_BUSY;
    }
    if (command == ERASE_PAGE) {
        sleep_ms(8);
    } else {
        sleep_ms(20);
    }
    return await(&value);
}

/* Whether the page has what the buffer has. */
static inline __attribute__((always_inline)) int compare(uint16_t page)
{
    uint8_t value;

    begin_at(COMPARE, page, 0);
    end();
    int error = await(&value);
    return error == 0 && (value & DIFFERS) ? ERR_CORRUPT : error;
}

static __attribute__((noinline)) int write(uint16_t page, const void *bytes, uint16_t length)
{
    uint8_t value;

    for (uint8_t tries = COMMAND_TRIES; tries > 0; tries--) {
        int error = await(&value);
        if (error == 0) {
            error = fill_buffer(bytes, length);
        }
        if (error == 0) {
            error = work(PROGRAM_ERASING, page);
        }
        if (error == 0) {
            return compare(page);
        }
        if (error != ERR_BUSY) {
            return error;
        }
    }
    return ERR_IO;
}

int at45db_write(uint16_t page, const struct storage_page *image)
{
    return write(page, image, sizeof(*image));
}

int at45db_mark(uint16_t page, const struct storage_header *header)
{
    return write(page, header, sizeof(*header));
}

int at45db_erase(uint16_t page)
{
    uint8_t value;
    int error = ERR_BUSY;

    for (uint8_t tries = COMMAND_TRIES; error == ERR_BUSY && tries > 0; tries--) {
        error = await(&value);
        if (error == 0) {
            error = work(ERASE_PAGE, page);
        }
    }
    return error == ERR_BUSY ? ERR_IO : error;
}
