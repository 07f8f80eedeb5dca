/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "air.h"

#include <lichen/event.h>

#include "../host/host.h"
#include "../link/hostile.h"
#include "chip/spi_slave.h"
#include "driver/radio/cc1000/bytes.h"
#include "driver/radio/cc1000/driver.h"
#include "driver/radio/cc1000/wiring.h"

enum {
    BEHIND = 8,        /* bytes of silence, at least, */
    LONGEST = 140,     /* and until a frame that has begun must have ended */
    LATENESS_MOST = 4, /* bytes, until the event runs */
};

static uint8_t bits[AIR_MAX * 8];
static unsigned count;

uint8_t air_silence;

void air_begin(uint8_t shift)
{
    count = 0;
    for (uint8_t i = 0; i < shift; i++) {
        bits[count++] = air_silence & 1;
    }
}

void air_put_byte(uint8_t byte)
{
    require(count + 8 <= sizeof(bits));
    for (uint8_t mask = 0x80; mask != 0; mask >>= 1) {
        bits[count++] = (byte & mask) != 0;
    }
}

void air_put(const uint8_t *bytes, unsigned length)
{
    for (unsigned i = 0; i < length; i++) {
        air_put_byte(bytes[i]);
    }
}

bool air_has(uint32_t word)
{
    uint32_t last = 0;

    for (unsigned i = 0; i < count; i++) {
        last = (last << 1 | bits[i]) & 0xffffff;
        if (last == word) {
            return true;
        }
    }
    return false;
}

/* -------- the part */

static uint8_t in;
volatile uint8_t spi_slave_out;

uint8_t spi_slave_in(void)
{
    return in;
}

bool spi_slave_was_late(void)
{
    return false;
}

void spi_slave_open(void)
{
}

void spi_slave_close(void)
{
}

void spi_slave_drive(bool drives)
{
    (void)drives;
}

/* -------- the interrupt, and the event that it posts */

struct event cc1000_step = {.queued = {true}}; /* so a post only sets `pending` */

static unsigned lateness;

static void move(uint8_t byte, void (*step)(void))
{
    in = (uint8_t)~byte;
    cc1000_byte();
    if (!cc1000_step.pending) {
        lateness = hostile_any(LATENESS_MOST);
    } else if (lateness > 0) {
        lateness--;
    } else {
        cc1000_step.pending = false;
        step();
    }
}

static uint8_t byte_at(unsigned at)
{
    uint8_t byte = 0;

    for (unsigned i = at; i < at + 8; i++) {
        byte = (uint8_t)(byte << 1 | (i < count ? bits[i] : air_silence & 1));
    }
    return byte;
}

void air_play(void (*step)(void))
{
    unsigned at = 0, silent = 0;

    for (; at < count; at += 8) {
        move(byte_at(at), step);
    }
    while (silent < BEHIND || cc1000_bytes_are_framed() || cc1000_step.pending) {
        move(byte_at(at), step);
        silent++;
        require(silent < LONGEST);
    }
}
