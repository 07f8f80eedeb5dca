/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The AT86RF233 on its bus.
 *
 * The bus is the radio's alone, so its port is used directly: each interrupt at the end of a
 * transfer starts the next one, in the order registers, head of the frame, pieces of the packet,
 * and, of a received frame, its end. The bytes of registers are exchanged in place: what comes in
 * takes the place of what was sent.
 *
 * The radio gives its frame buffer free when it is deselected after a frame was read (data sheet,
 * "Dynamic Frame Buffer Protection"), so a frame is read by one access, whose length is known only
 * after its first bytes.
 */
#include "driver/radio/at86rf233/access.h"

#include <stddef.h>

#include <lichen/assert.h>
#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/interrupt.h>
#include <lichen/power.h>

#include "chip/chip.h"
#include "chip/spi.h"
#include "driver/radio/at86rf233/air.h"
#include "driver/radio/at86rf233/driver.h"
#include "driver/radio/at86rf233/registers.h"
#include "driver/radio/at86rf233/wiring.h"

enum {
    REGISTERS_MAX = 26,
    /* A packet of 125 bytes has at most so many pieces: a block without bytes may come first, and
     * the first and the last one may be partly filled. */
    PIECES_MAX = 2 + (PACKET_FRAME_BYTES + PACKET_BLOCK_ROOM - 1) / PACKET_BLOCK_ROOM,
    BUS_HZ = 4000000, /* at most 7.5 MHz (data sheet, "Digital Interface Timing Characteristics") */
};

/* What an access has to do with the frame buffer. */
enum frame { NO_FRAME, TO_WRITE, TO_READ };

/* Where it is. */
enum stage { REGISTERS, HEAD, PIECES, END };

/* The bytes of an access to a register. */
struct exchange {
    uint8_t command; /* then TRX_STATUS */
    uint8_t value;
};

static struct {
    volatile bool is_active;
    uint8_t result;
    uint8_t frame;     /* enum frame */
    uint8_t stage;     /* enum stage */
    uint8_t registers; /* of the list */
    uint8_t moved;     /* how many of them were accessed */
    uint8_t pieces;
    uint8_t piece; /* the next one */
    uint8_t left;  /* bytes of the packet */
    uint8_t length;
    struct exchange list[REGISTERS_MAX];
    struct exchange head; /* of the frame; the second byte is its length */
    struct packet_piece packet[PIECES_MAX];
    struct access_end end;
} access;

POWER_LIMIT(access_limit);

void access_open(void)
{
    gpio_output(at86rf233_wiring.select, true);
    spi_port_open(at86rf233_wiring.port);
    spi_port_configure(at86rf233_wiring.port, 0, BUS_HZ);
}

void access_begin(void)
{
    access.registers = 0;
    access.frame = NO_FRAME;
    access.length = 0;
}

static uint8_t add(uint8_t command, uint8_t value)
{
    assert(access.registers < REGISTERS_MAX);
    access.list[access.registers] = (struct exchange){command, value};
    return access.registers++;
}

uint8_t access_read(uint8_t address)
{
    return add((uint8_t)(READ_REGISTER | address), 0);
}

void access_write(uint8_t address, uint8_t value)
{
    (void)add((uint8_t)(WRITE_REGISTER | address), value);
}

void access_write_frame(packet_t packet)
{
    uint8_t length = (uint8_t)packet_length(packet);

    access.frame = TO_WRITE;
    access.pieces = packet_gather(packet, 0, access.packet, PIECES_MAX);
    access.left = length;
    access.head = (struct exchange){WRITE_FRAME, (uint8_t)(length + FCS_BYTES)};
}

void access_read_frame(packet_t packet)
{
    access.frame = TO_READ;
    access.pieces = 0;
    if (packet != PACKET_NONE) {
        access.pieces = packet_gather(packet, 0, access.packet, PIECES_MAX);
    }
    access.head = (struct exchange){READ_FRAME, 0};
}

/* ---------------------------------------------------------------- the chain */
static void select(void)
{
    gpio_clear(at86rf233_wiring.select);
}

static void deselect(void)
{
    gpio_set(at86rf233_wiring.select);
}

static void exchange(struct exchange *exchange)
{
    spi_port_move(at86rf233_wiring.port, &exchange->command, &exchange->command, sizeof(*exchange));
}

/* Whether the frame that is wanted is there. */
static bool has_frame(void)
{
    return access.frame == TO_WRITE ||
           (access.frame == TO_READ && (access.list[0].value & IRQ_TRX_END));
}

/* The head of a received frame has been read: how much of the packet it fills. A length below that
 * of an FCS, and a packet that is not there, end the access. */
static bool take_head(void)
{
    uint8_t length = access.head.value & PACKET_FRAME_BYTES;

    access.length = length;
    access.left = (uint8_t)(length - FCS_BYTES);
    return length > FCS_BYTES && access.pieces != 0;
}

static void move_piece(void)
{
    const struct packet_piece *piece = &access.packet[access.piece++];
    uint8_t length = piece->length < access.left ? piece->length : access.left;

    access.left -= length;
    if (access.frame == TO_WRITE) {
        spi_port_move(at86rf233_wiring.port, piece->bytes, 0, length);
    } else {
        spi_port_move(at86rf233_wiring.port, 0, piece->bytes, length);
    }
}

/* Starts the next transfer. Returns false if there is none. The first one is started at the kernel
 * level, and its end may interrupt at once: so what it finds is written before. */
static bool proceed(void)
{
    switch ((enum stage)access.stage) {
    case REGISTERS:
        deselect();
        if (access.moved < access.registers) {
            select();
            exchange(&access.list[access.moved++]);
            return true;
        }
        if (!has_frame()) {
            return false;
        }
        access.stage = HEAD;
        select();
        exchange(&access.head);
        return true;
    case HEAD:
        access.stage = PIECES;
        access.piece = 0;
        if (access.frame == TO_READ && !take_head()) {
            return false;
        }
        move_piece();
        return true;
    case PIECES:
        if (access.left != 0 && access.piece < access.pieces) {
            move_piece();
            return true;
        }
        if (access.frame == TO_WRITE) {
            return false;
        }
        access.stage = END;
        spi_port_move(at86rf233_wiring.port, 0, access.end.fcs, sizeof(access.end));
        return true;
    case END:
        break;
    }
    return false;
}

void access_start(void)
{
    access.result = 0;
    access.moved = 0;
    access.stage = REGISTERS;
    power_limit(&access_limit, CHIP_SLEEP_MOVING);
    access.is_active = true;
    if (!proceed()) {
        access.is_active = false;
        power_unlimit(&access_limit);
        event_post(&at86rf233_step);
    }
}

void at86rf233_interrupt(void)
{
    unsigned pending = spi_port_pending(at86rf233_wiring.port);

    if (!access.is_active || pending == 0) {
        return;
    }
    if (pending & SPI_FAULT) {
        spi_port_stop(at86rf233_wiring.port);
        access.result = ERR_IO;
    } else if (proceed()) {
        return;
    }
    deselect();
    access.is_active = false;
    power_unlimit(&access_limit);
    event_post_from(&at86rf233_step, LEVEL_DRIVER);
}

void access_stop(void)
{
    if (access.is_active) {
        access.is_active = false;
        spi_port_stop(at86rf233_wiring.port);
        deselect();
        power_unlimit(&access_limit);
    }
}

bool access_is_active(void)
{
    return access.is_active;
}

uint8_t access_take_result(void)
{
    uint8_t result = access.result;

    access.result = 0;
    return result;
}

uint8_t access_value(uint8_t index)
{
    return access.list[index].value;
}

uint8_t access_frame_status(void)
{
    return access.head.command & TRX_STATUS_Msk;
}

uint8_t access_frame_length(void)
{
    return access.length;
}

const struct access_end *access_frame_end(void)
{
    return &access.end;
}
