/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The DS2401 (its data sheet, "Transaction Sequence").
 *
 * A slot of its line must not be longer than some microseconds, and interrupts are not masked for
 * it: one that comes within a slot spoils the reading. The check sum of 8 bits tells most of these,
 * so a number counts when two readings agree. A thread that reads while another one does spoils its
 * reading in the same way, so there is no lock.
 */
#include "driver/serial_number/ds2401.h"

#include <stdbool.h>
#include <string.h>

#include <lichen/error.h>
#include <lichen/init.h>

#include "chip/one_wire.h"

enum {
    READ_ROM = 0x33,
    FAMILY = 0x01,
    POLYNOMIAL = 0x8c, /* x^8 + x^5 + x^4 + 1, least significant bit first */
    ATTEMPTS = 8,
};

static uint8_t known[DS2401_BYTES]; /* written at start-up, or by threads, which agree */
static volatile uint8_t error_of_known = ERR_EMPTY; /* 0: it does not change any more */

static void send(uint8_t pin, uint8_t byte)
{
    for (uint8_t bit = 0; bit < 8; bit++) {
        one_wire_write(pin, byte >> bit & 1);
    }
}

static uint8_t receive(uint8_t pin)
{
    uint8_t byte = 0;

    for (uint8_t bit = 0; bit < 8; bit++) {
        byte = (uint8_t)(byte | one_wire_read(pin) << bit);
    }
    return byte;
}

/* Of a number with its check sum at the end, this is 0. */
static uint8_t check_sum(const uint8_t *bytes)
{
    uint8_t sum = 0;

    for (uint8_t i = 0; i < DS2401_BYTES; i++) {
        sum ^= bytes[i];
        for (uint8_t bit = 0; bit < 8; bit++) {
            sum = (uint8_t)(sum >> 1 ^ (sum & 1 ? POLYNOMIAL : 0));
        }
    }
    return sum;
}

static int read_once(uint8_t pin, uint8_t *number)
{
    int error = one_wire_reset(pin);

    if (error != 0) {
        return error;
    }
    send(pin, READ_ROM);
    for (uint8_t i = 0; i < DS2401_BYTES; i++) {
        number[i] = receive(pin);
    }
    return number[0] == FAMILY && check_sum(number) == 0 ? 0 : ERR_CORRUPT;
}

/* Until two readings agree. */
static int read_surely(uint8_t pin, uint8_t *number)
{
    uint8_t before[DS2401_BYTES] = {0};
    int error = ERR_CORRUPT;

    for (uint8_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        error = read_once(pin, number);
        if (error == 0) {
            if (memcmp(before, number, DS2401_BYTES) == 0) {
                return 0;
            }
            memcpy(before, number, DS2401_BYTES);
            error = ERR_CORRUPT;
        }
    }
    return error;
}

/* Nothing reads `known` before its error is 0. */
static void learn(void)
{
    uint8_t number[DS2401_BYTES];
    int error = read_surely(ds2401_pin, number);

    if (error == 0) {
        memcpy(known, number, DS2401_BYTES);
    } else if (error_of_known == 0) {
        return; /* another thread has read it meanwhile */
    }
    error_of_known = (uint8_t)error;
}
INIT_IN(DRIVERS, learn);

int ds2401_known(uint8_t *number)
{
    int error = error_of_known;

    if (error == 0) {
        memcpy(number, known, DS2401_BYTES);
    }
    return error;
}

int ds2401_read(uint8_t *number)
{
    if (error_of_known != 0) {
        learn();
    }
    return ds2401_known(number);
}
