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
};

static const uint8_t start[] = {PREAMBLE, PREAMBLE, PREAMBLE,   PREAMBLE,
                                PREAMBLE, PREAMBLE, SYNC_FIRST, SYNC_LAST};
_Static_assert(sizeof(start) == PREAMBLE_BYTES + 2, "preamble and synchronization word");

static const uint8_t acknowledgment[] = {PREAMBLE, PREAMBLE, PREAMBLE,   PREAMBLE,
                                         PREAMBLE, PREAMBLE, ACK_BEFORE, ACK_FIRST,
                                         ACK_LAST, PREAMBLE, PREAMBLE};

/* What is sent behind the present bytes. */
enum part {
    PART_HEAD,
    PART_PAYLOAD,
    PART_END, /* the checksum */
    PART_NONE,
};

static struct {
    volatile uint8_t mode; /* enum cc1000_bytes_mode */
    uint8_t run;           /* HUNT: bytes of a preamble; SYNC: tries that are left */
    uint16_t last;         /* SYNC: the last two bytes */
    uint8_t scale; /* TAKE: 1 << the bits of a byte that are in the next one of the air, less 1 */
    uint8_t begun; /* TAKE: the bits that are known of the next byte; ASK: the byte before `last` */
    uint8_t left;  /* SEND: of the present part; TAKE: of the frame, as far as it is known */
    uint8_t part;  /* SEND: the next one; TAKE: the length is known */
    const uint8_t *from; /* SEND: the next byte */
    uint8_t *at;         /* TAKE: where the next byte goes */
    uint8_t crc_high;    /* of the frame, so far */
    uint8_t crc_low;
    bool sums;              /* SEND: the present part belongs to the checksum */
    uint8_t room;           /* for the payload of a frame that arrives */
    uint8_t *into;          /* where it begins */
    volatile bool is_held;  /* there is no memory for it: `into` is the event's */
    volatile uint8_t wait;  /* bytes until BYTES_WAITED */
    volatile bool was_late; /* SEND: another byte was sent than this */
    volatile bool has_moved;
    volatile bool happened[BYTES_HAPPENINGS];
    uint8_t end[CRC_BYTES + FLUSH_BYTES];
} bytes = {.is_held = true};

static inline void tell(enum bytes_happened what)
{
    bytes.happened[what] = true;
    bytes.happened[BYTES_NEWS] |= what >= BYTES_OF_RECEPTION;
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
    bytes.at = bytes.into;
    bytes.left = LENGTH_AT + 1 + CRC_BYTES;
    bytes.part = PART_HEAD;
    bytes.crc_high = bytes.crc_low = 0;
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

/* Noise is like 16 given bits at one time in 340 of the waits, so the byte before them counts, too.
 */
static void ask(uint8_t byte)
{
    uint16_t before = (uint16_t)(bytes.begun << 8 | bytes.last >> 8);
    uint8_t mask = find(byte, ACK_FIRST << 8 | ACK_LAST);

    bytes.begun = (uint8_t)before;
    if (mask == 0) {
        return;
    }
    for (; mask != 0; mask = (uint8_t)(mask << 1)) {
        before = (uint16_t)(before << 1);
    }
    if (before >> 8 == ACK_BEFORE) {
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

/* The next byte of what the checksum covers: CRC-CCITT, from 0, most significant bit first. */
static inline void sum(uint8_t byte)
{
    uint8_t mixed = bytes.crc_high ^ byte;

    mixed ^= mixed >> 4;
    bytes.crc_high = bytes.crc_low ^ (uint8_t)(mixed << 4) ^ mixed >> 3;
    bytes.crc_low = mixed ^ (uint8_t)(mixed << 5);
}

/* The length has come. */
static void take_on(void)
{
    uint8_t payload = bytes.into[LENGTH_AT];

    if (payload > bytes.room) {
        give_up();
        tell(BYTES_WRONG);
        return;
    }
    bytes.part = PART_PAYLOAD;
    bytes.left = (uint8_t)(payload + (HEADER_BYTES - LENGTH_AT - 1) + CRC_BYTES);
    tell(BYTES_HEAD);
}

static inline void take(uint8_t byte)
{
    uint16_t product = (uint16_t)((uint16_t)(byte * bytes.scale) << 1);
    uint8_t whole = (uint8_t)(bytes.begun | product >> 8);

    *bytes.at++ = whole;
    bytes.begun = (uint8_t)product;
    if (bytes.left > CRC_BYTES) {
        sum(whole);
        if (--bytes.left == CRC_BYTES && bytes.part == PART_HEAD) {
            take_on();
        }
    } else if (--bytes.left == 0) {
        bytes.is_held = true;
        give_up();
        tell(BYTES_FRAME);
    }
}

static void send_end(void)
{
    bytes.end[0] = bytes.crc_low;
    for (uint8_t i = 1; i < sizeof(bytes.end); i++) {
        bytes.end[i] = bytes.crc_high;
    }
    bytes.from = bytes.end;
    bytes.left = sizeof(bytes.end);
    bytes.sums = false;
}

/* The present part has been handed over. */
static void send_on(void)
{
    uint8_t part = bytes.part++;

    if (part == PART_HEAD) {
        bytes.from = cc1000_frame.head;
        bytes.left = cc1000_frame.head_length;
        bytes.sums = true;
    } else if (part == PART_PAYLOAD && cc1000_frame.payload_length != 0) {
        bytes.from = cc1000_frame.payload;
        bytes.left = cc1000_frame.payload_length;
    } else if (part <= PART_END) {
        bytes.part = PART_NONE;
        send_end();
    } else {
        bytes.mode = BYTES_PASS;
        tell(BYTES_SENT);
    }
}

static inline void send(void)
{
    uint8_t byte = *bytes.from++;

    spi_slave_out = byte;
    if (bytes.sums) {
        sum(byte);
    }
    if (--bytes.left == 0) {
        send_on();
    }
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
    bytes.begun = 0;
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

void cc1000_receive_into(uint8_t *into, uint8_t payload)
{
    bytes.into = into;
    bytes.room = payload;
    bytes.is_held = false;
}

uint8_t *cc1000_bytes_take_frame(void)
{
    uint8_t *frame = bytes.into;
    const uint8_t *crc = frame + HEADER_BYTES + frame[LENGTH_AT];

    if (crc[0] != bytes.crc_low || crc[1] != bytes.crc_high) {
        bytes.is_held = false;
        return 0;
    }
    return frame;
}

static void begin(const uint8_t *from, uint8_t length, enum part behind)
{
    bytes.from = from;
    bytes.left = length;
    bytes.part = (uint8_t)behind;
    bytes.sums = false;
    bytes.crc_high = bytes.crc_low = 0;
    bytes.was_late = false;
    bytes.happened[BYTES_SENT] = false; /* of one that was cut off */
    bytes.mode = BYTES_SEND;
}

void cc1000_bytes_send(void)
{
    begin(start, sizeof(start), PART_HEAD);
}

void cc1000_bytes_acknowledge(void)
{
    begin(acknowledgment, sizeof(acknowledgment), PART_NONE);
}
