/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A bus and a port that the program plays: an implementation of os/chip/spi.h. Each piece ends when
 * the program says so, and then the port's interrupt comes. */
#ifndef TEST_FORCE_SPI_PORT_H
#define TEST_FORCE_SPI_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/spi.h>

#include "force.h"

/* The transfers of an actor: one that sends and then receives, one that does both at once, one of
 * no bytes, and those of a thread that waits. */
enum port_kind { PORT_THEN = 0, PORT_AT_ONCE, PORT_EMPTY, PORT_WAITS, PORT_KINDS };

#define PORT_TRANSFERS ((FORCE_ACTORS + 1u) * PORT_KINDS)

enum {
    PORT_BYTES = 2, /* that are sent, and that are received */
    PORT_SAYS_NOTHING = 0xff,
};

extern struct spi_bus port_bus;

/* Two devices of different settings; and that of a transfer. */
extern const struct spi_device port_devices[2];

static inline const struct spi_device *port_device(unsigned transfer)
{
    return &port_devices[(transfer + transfer / PORT_KINDS) % 2];
}

/* What a transfer has seen of the port. */
struct port_record {
    uint8_t number;   /* which of all whose first piece was begun it was; 0: none of it was */
    uint8_t sent;     /* bytes */
    uint8_t received; /* bytes */
    uint8_t said;     /* its result, as soon as the port has said enough */
};
extern struct port_record port_records[PORT_TRANSFERS];

/* The bytes of each transfer, by which the port knows it. */
extern uint8_t port_out[PORT_TRANSFERS][PORT_BYTES], port_in[PORT_TRANSFERS][PORT_BYTES];

void port_prepare(bool answers_at_once);

/* What becomes of a piece. */
enum port_answer { PORT_IS_BUSY = 0, PORT_HAS_MOVED, PORT_FAILS };

/* Ends the piece under way, if there is one; the port's interrupt comes in any case.
 * context   any
 */
void port_answer(enum port_answer answer);

/* What a transfer sends, and what it receives. */
static inline uint8_t port_out_byte(unsigned transfer, unsigned index)
{
    return (uint8_t)(transfer << 2 ^ index);
}

static inline uint8_t port_in_byte(unsigned transfer, unsigned index)
{
    return (uint8_t)(0x80u ^ port_out_byte(transfer, index));
}

#endif
