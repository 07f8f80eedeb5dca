/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the interrupt of a byte does.
 *
 * The part knows neither bytes nor frames. What it receives is inverted, as its oscillator is above
 * the channel, and shifted by some bits against the bytes that were sent. The synchronization word
 * tells by how many: from then on each byte that comes in is multiplied by a power of two, whose
 * upper half completes the byte before, and whose lower half begins the next one.
 *
 * While the mode is one in which the interrupt writes a variable, the event leaves that alone; it
 * sets the mode last.
 */
#include "driver/radio/cc1000/bytes.h"

#include <lichen/event.h>
#include <lichen/interrupt.h>

#include "chip/spi_slave.h"
#include "driver/radio/cc1000/driver.h"
#include "driver/radio/cc1000/wiring.h"

enum {
    PREAMBLE_RUN = 3, /* bytes of it that are taken for one */
    SYNC_TRIES = 6,   /* bytes within which the synchronization word must come */
    PIECES = 2,       /* that follow the first one: a packet, and its end if it is sent */
};

static const uint8_t start[] = {PREAMBLE, PREAMBLE, PREAMBLE,   PREAMBLE,
                                PREAMBLE, PREAMBLE, SYNC_FIRST, SYNC_LAST};
_Static_assert(sizeof(start) == PREAMBLE_BYTES + 2, "preamble and synchronization word");

static const uint8_t acknowledgment[] = {PREAMBLE, PREAMBLE, PREAMBLE,   PREAMBLE,
                                         PREAMBLE, PREAMBLE, ACK_BEFORE, ACK_FIRST,
                                         ACK_LAST, PREAMBLE, PREAMBLE};

static struct {
    volatile uint8_t mode; /* enum cc1000_bytes_mode */
    uint8_t run;           /* HUNT: bytes of a preamble; SYNC: tries that are left */
    uint16_t last;         /* SYNC: the last two bytes */
    uint8_t scale; /* TAKE: 1 << the bits of a byte that are in the next one of the air, less 1 */
    uint8_t begun; /* TAKE: the bits that are known of the next byte */
    volatile uint8_t left;   /* of the piece */
    uint8_t *at;             /* in the piece */
    volatile uint8_t piece;  /* the next one */
    volatile uint8_t pieces; /* that there are */
    uint8_t length;          /* of the frame that arrives */
    volatile uint8_t wait;   /* bytes until BYTES_WAITED */
    volatile bool was_late;  /* SEND: another byte was sent than this */
    volatile bool has_moved;
    volatile bool is_held; /* `lead`, and memory that was given, are the event's */
    volatile bool happened[BYTES_HAPPENINGS];
    struct packet_piece list[PIECES];
    uint8_t lead[LEAD_BYTES];
    uint8_t end[CRC_BYTES + FLUSH_BYTES];
} bytes;

static inline void tell(enum bytes_happened what)
{
    bytes.happened[what] = true;
    event_post_from(&cc1000_step, LEVEL_DRIVER);
}

/* ---------------------------------------------------------------- the interrupt */
static inline void hunt(uint8_t byte)
{
    if (byte != PREAMBLE && byte != PREAMBLE_SHIFTED) {
        bytes.run = 0;
    } else if (++bytes.run == PREAMBLE_RUN) {
        bytes.last = (uint16_t)(byte << 8 | byte);
        bytes.run = SYNC_TRIES;
        bytes.mode = BYTES_SYNC;
    }
}

static void give_up(void)
{
    bytes.run = 0;
    bytes.mode = BYTES_HUNT;
}

/* The word ended in the bit of `byte` with this mask. */
static void begin_frame(uint8_t byte, uint8_t mask)
{
    uint8_t scale = 1;

    while (mask != 0x80) {
        mask = (uint8_t)(mask << 1);
        scale = (uint8_t)(scale << 1);
    }
    if (bytes.is_held) {
        give_up();
        tell(BYTES_MISSED);
        return;
    }
    bytes.scale = scale;
    bytes.begun = (uint8_t)((uint16_t)byte * scale << 1);
    bytes.at = bytes.lead;
    bytes.left = LENGTH_AT + 1;
    bytes.length = 0;
    bytes.piece = 0;
    bytes.pieces = 0;
    bytes.mode = BYTES_TAKE;
}

/* Looks for a word. Returns the bit of `byte` in which it ends, or 0. */
static uint8_t find(uint8_t byte, uint16_t word)
{
    uint16_t last = bytes.last;

    for (uint8_t mask = 0x80; mask != 0; mask >>= 1) {
        last = (uint16_t)(last << 1);
        if (byte & mask) {
            last |= 1;
        }
        if (last == word) {
            return mask;
        }
    }
    bytes.last = last;
    return 0;
}

static void ask(uint8_t byte)
{
    if (find(byte, ACK_FIRST << 8 | ACK_LAST) != 0) {
        bytes.mode = BYTES_PASS;
        tell(BYTES_ACKED);
    }
}

static void synchronize(uint8_t byte)
{
    uint8_t mask = find(byte, SYNC_FIRST << 8 | SYNC_LAST);

    if (mask != 0) {
        begin_frame(byte, mask);
    } else if (byte != PREAMBLE && byte != PREAMBLE_SHIFTED && --bytes.run == 0) {
        give_up();
    }
}

/* The piece of an arriving frame is full. The first ones are the beginning and the rest of the
 * lead; those behind are the packet's. */
static void take_on(void)
{
    if (bytes.length == 0) {
        uint8_t payload = bytes.lead[LENGTH_AT];
        if (payload > PAYLOAD_MAX) {
            give_up();
            tell(BYTES_WRONG);
            return;
        }
        bytes.length = (uint8_t)(payload + HEADER_BYTES + CRC_BYTES);
        bytes.left =
            (uint8_t)((bytes.length < LEAD_BYTES ? bytes.length : LEAD_BYTES) - (LENGTH_AT + 1));
        tell(BYTES_HEAD);
        return;
    }
    if (bytes.piece < bytes.pieces) {
        const struct packet_piece *piece = &bytes.list[bytes.piece++];
        bytes.at = piece->bytes;
        bytes.left = piece->length;
        return;
    }
    bytes.is_held = true;
    give_up();
    tell(bytes.length <= LEAD_BYTES || bytes.pieces != 0 ? BYTES_FRAME : BYTES_LOST);
}

static inline void take(uint8_t byte)
{
    uint16_t product = (uint16_t)((uint16_t)(byte * bytes.scale) << 1);

    *bytes.at++ = (uint8_t)(bytes.begun | product >> 8);
    bytes.begun = (uint8_t)product;
    if (--bytes.left == 0) {
        take_on();
    }
}

static inline void send(void)
{
    spi_slave_out = *bytes.at++;
    if (--bytes.left != 0) {
        return;
    }
    if (bytes.piece < bytes.pieces) {
        const struct packet_piece *piece = &bytes.list[bytes.piece++];
        bytes.at = piece->bytes;
        bytes.left = piece->length;
        return;
    }
    bytes.mode = BYTES_PASS;
    tell(BYTES_SENT);
}

void cc1000_byte(void)
{
    bool was_late = spi_slave_was_late();
    uint8_t byte = (uint8_t)~spi_slave_in();
    uint8_t mode = bytes.mode;

    bytes.has_moved = true;
    if (bytes.wait != 0 && --bytes.wait == 0) {
        tell(BYTES_WAITED);
    }
    if (mode == BYTES_SEND) {
        bytes.was_late |= was_late;
        send();
    } else if (mode == BYTES_TAKE) {
        take(byte);
    } else if (mode == BYTES_HUNT) {
        hunt(byte);
    } else if (mode == BYTES_SYNC) {
        synchronize(byte);
    } else if (mode == BYTES_ASK) {
        ask(byte);
    }
}

/* ---------------------------------------------------------------- at the kernel level */
void cc1000_bytes_open(void)
{
    bytes.mode = BYTES_PASS;
    bytes.wait = 0;
    bytes.has_moved = false;
    for (uint8_t i = 0; i < BYTES_HAPPENINGS; i++) {
        bytes.happened[i] = false;
    }
    spi_slave_out = PREAMBLE;
    spi_slave_open();
}

void cc1000_bytes_close(void)
{
    bytes.mode = BYTES_PASS;
    spi_slave_close();
}

void cc1000_bytes_wait(uint8_t count)
{
    bytes.wait = 0;
    bytes.happened[BYTES_WAITED] = false;
    bytes.wait = count;
}

enum cc1000_bytes_mode cc1000_bytes_mode(void)
{
    return bytes.mode;
}

bool cc1000_bytes_are_framed(void)
{
    return bytes.mode == BYTES_TAKE || bytes.mode == BYTES_SYNC;
}

void cc1000_bytes_hunt(void)
{
    bytes.mode = BYTES_PASS;
    give_up();
}

void cc1000_bytes_ask(void)
{
    bytes.mode = BYTES_PASS;
    bytes.last = 0;
    bytes.happened[BYTES_ACKED] = false;
    bytes.mode = BYTES_ASK;
}

void cc1000_bytes_pass(void)
{
    bytes.mode = BYTES_PASS;
    spi_slave_out = PREAMBLE;
}

void cc1000_bytes_transmit(bool transmits)
{
    spi_slave_drive(transmits);
}

/* What happens after the test is not lost. */
bool cc1000_bytes_has_happened(enum bytes_happened what)
{
    if (!bytes.happened[what]) {
        return false;
    }
    bytes.happened[what] = false;
    return true;
}

bool cc1000_bytes_were_late(void)
{
    return bytes.was_late;
}

bool cc1000_bytes_have_moved(void)
{
    bool moved = bytes.has_moved;

    bytes.has_moved = false;
    return moved;
}

uint8_t cc1000_bytes_frame_length(void)
{
    return bytes.length;
}

/* Until the packet's pieces are there it is in the lead. */
uint8_t cc1000_bytes_frame_taken(void)
{
    return (uint8_t)((bytes.length < LEAD_BYTES ? bytes.length : LEAD_BYTES) - bytes.left);
}

const uint8_t *cc1000_bytes_lead(void)
{
    return bytes.lead;
}

void cc1000_bytes_take_to(packet_t packet)
{
    bytes.list[0] = (struct packet_piece){packet_flat(packet) + LEAD_BYTES,
                                          (uint8_t)(packet_length(packet) - LEAD_BYTES)};
    bytes.pieces = 1;
}

void cc1000_bytes_release(void)
{
    bytes.is_held = false;
}

static uint16_t crc_of(const uint8_t *at, uint8_t length)
{
    uint16_t crc = 0;

    for (; length > 0; length--) {
        uint8_t mixed = (uint8_t)(crc >> 8 ^ *at++);
        mixed ^= mixed >> 4;
        crc = (uint16_t)(crc << 8 ^ (uint16_t)(mixed << 12) ^ (uint16_t)(mixed << 5) ^ mixed);
    }
    return crc;
}

uint16_t cc1000_bytes_crc(packet_t packet, uint8_t length)
{
    return crc_of(packet_flat(packet), length);
}

void cc1000_bytes_send(packet_t packet)
{
    uint8_t length = (uint8_t)packet_length(packet);
    uint16_t crc = cc1000_bytes_crc(packet, length);

    bytes.end[0] = (uint8_t)crc;
    for (uint8_t i = 1; i < sizeof(bytes.end); i++) {
        bytes.end[i] = (uint8_t)(crc >> 8);
    }
    bytes.list[0] = (struct packet_piece){packet_flat(packet), length};
    bytes.list[1] = (struct packet_piece){bytes.end, sizeof(bytes.end)};
    bytes.at = (uint8_t *)(uintptr_t)start;
    bytes.left = sizeof(start);
    bytes.piece = 0;
    bytes.pieces = PIECES;
    bytes.was_late = false;
    bytes.mode = BYTES_SEND;
}

void cc1000_bytes_acknowledge(void)
{
    bytes.at = (uint8_t *)(uintptr_t)acknowledgment;
    bytes.left = sizeof(acknowledgment);
    bytes.pieces = bytes.piece = 0;
    bytes.mode = BYTES_SEND;
}
