/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A port that the program plays: an implementation of os/chip/i2c.h. Each step of a transfer ends
 * when the program says so, and then the port's interrupt comes. */
#ifndef TEST_FORCE_I2C_PORT_H
#define TEST_FORCE_I2C_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "force.h"
#include "wrap.h"

/* The transfers of an actor: one that reads, one that writes, and a blocking one that does both. */
enum port_kind { PORT_READ = 0, PORT_WRITE, PORT_BOTH, PORT_KINDS };

#define PORT_TRANSFERS ((FORCE_ACTORS + 1u) * PORT_KINDS)

enum {
    PORT_OUT_BYTES = 1,
    PORT_IN_BYTES = 2,
    PORT_FIRST_ADDRESS = 0x10, /* that of transfer 0 */
    PORT_SAYS_NOTHING = 0xff,
};

/* What a transfer has seen of the port. */
struct port_record {
    force_ticks_t begun;
    uint8_t number;   /* which of all that were begun it was; 0: it was not begun */
    uint8_t sent;     /* bytes */
    uint8_t received; /* bytes */
    uint8_t said;     /* its result, as soon as the port has said enough */
};
extern struct port_record port_records[PORT_TRANSFERS];

/* How the port behaves in a run. */
struct port_manner {
    bool answers_at_once; /* each step ends as soon as it is begun; else port_answer ends it */
    bool is_watched;      /* the driver need not watch over a transfer */
    bool reads_by_bytes;  /* what is read comes byte by byte, and not by DMA */
};
void port_prepare(const struct port_manner *manner);

/* What the part does. */
enum port_answer { PORT_IS_SILENT = 0, PORT_GOES_ON, PORT_REFUSES, PORT_IS_LOST };

/* Ends the present step, if there is one; the port's interrupt comes in any case.
 * context   any
 */
void port_answer(enum port_answer answer);

/* The byte of a transfer that is sent, and what is received. */
static inline uint8_t port_byte(unsigned transfer, unsigned index)
{
    return (uint8_t)(transfer << 4 ^ index);
}

#endif
