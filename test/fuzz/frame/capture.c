/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A capture for other people's decoders, of link type 195, IEEE 802.15.4 with FCS. */
#include <stdio.h>
#include <string.h>

#include "../../mote/ieee802154/compose.h"
#include "frame.h"

static FILE *out;

static void write_le32(uint32_t number)
{
    for (unsigned byte = 0; byte < 4; byte++, number >>= 8) {
        fputc((uint8_t)number, out);
    }
}

static void write_beginning(void)
{
    write_le32(0xa1b2c3d4);
    write_le32(2 | 4ul << 16); /* version 2.4 */
    write_le32(0);
    write_le32(0);
    write_le32(256);
    write_le32(195);
}

static void write_frame(const uint8_t *bytes, uint8_t length)
{
    uint16_t fcs = fcs_of(FCS_BEGIN, bytes, length);
    write_le32(0); /* the time: seconds, microseconds */
    write_le32(0);
    write_le32(length + 2u);
    write_le32(length + 2u);
    fwrite(bytes, 1, length, out);
    fputc(fcs & 0xff, out);
    fputc(fcs >> 8, out);
}

/* -------- what the codec reads, in the way of tshark */

static void print_address(const struct frame_address *address)
{
    if (address->has_pan) {
        printf("0x%04x", address->pan);
    }
    printf(",");
    if (address->mode == FRAME_ADDRESS_SHORT) {
        printf("0x%04x", frame_short(address));
    }
    printf(",");
    if (address->mode == FRAME_ADDRESS_EXTENDED) {
        for (unsigned byte = 8; byte > 0; byte--) {
            printf("%02x%s", address->bytes[byte - 1], byte > 1 ? ":" : "");
        }
    }
    printf(",");
}

static void print_hex(const uint8_t *bytes, unsigned length)
{
    while (length-- > 0) {
        printf("%02x", *bytes++);
    }
    printf(",");
}

static void print_security(const struct frame *frame)
{
    static const uint8_t source_bytes[] = {0, 0, 4, 8};
    const struct frame_security *security = &frame->security;
    if (!frame->has_security) {
        printf(",,,,,");
        return;
    }
    printf("0x%02x,0x%02x,", security->level, security->key_mode);
    if (!security->counter_suppressed) {
        printf("%lu", (unsigned long)security->counter);
    }
    printf(",");
    if (security->key_mode != 0) {
        printf("0x%02x", security->key_index);
    }
    printf(",");
    print_hex(security->key_source, source_bytes[security->key_mode]);
}

/* The length of what data frames carry: of others, what tshark calls data is not compared. In a
 * secured payload tshark looks for IEs only if it has the key, even if the payload is plain. */
static void print_payload(const struct frame *frame, const uint8_t *bytes, uint8_t length)
{
    unsigned data = frame->payload_length;
    if (frame->has_security) {
        data += frame->payload_ies_length;
    }
    if (frame->type != FRAME_DATA) {
        printf("?");
    } else if (data != 0) {
        printf("%u", data);
    }
    printf(",");
    print_hex(bytes + length - frame->mic_length, frame->mic_length);
}

static void print_frame(const uint8_t *bytes, uint8_t length)
{
    struct frame frame;
    struct packet_cursor cursor;
    packet_cursor_flat(&cursor, bytes, length);
    require(frame_parse(&frame, &cursor) == FRAME_GOOD);
    printf("0x%04x,%u,", frame.type, frame.version);
    if (frame.has_sequence) {
        printf("%u", frame.sequence);
    }
    printf(",");
    print_address(&frame.destination);
    print_address(&frame.source);
    print_security(&frame);
    print_payload(&frame, bytes, length);
    printf("1,\n"); /* the FCS is right; nothing is malformed */
}

/* -------- all frames */

/* Information elements of a data frame: of the header, without and with contents; and of the
 * payload. */
static const struct {
    uint8_t length;
    uint8_t bytes[14];
} ies[] = {
    {0, {0}},
    {2, {0x80, 0x3f}},
    {6, {0x02, 0x0f, 1, 0, 0x80, 0x3f}},
    {8, {0x00, 0x3f, 0x02, 0xc0, 1, 2, 0x00, 0xf8}},
    {12, {0x02, 0x0f, 1, 0, 0x00, 0x3f, 0x02, 0xc0, 1, 2, 0x00, 0xf8}},
};

static uint8_t append(uint8_t *bytes, uint8_t length, const uint8_t *more, uint8_t count)
{
    memcpy(bytes + length, more, count);
    return (uint8_t)(length + count);
}

static void add_with(const struct combination *combination, unsigned with)
{
    /* What a beacon has at least, data, and a command that nobody has. */
    static const uint8_t payloads[4][4] = {{0xff, 0x0f, 0, 0}, {1, 2, 3, 4}, {0}, {0xff}};
    static const uint8_t payload_lengths[4] = {4, 4, 0, 1};
    static const uint8_t mics[] = {0, 4, 8, 16};
    static const uint8_t mic[] = "0123456789abcdef";
    uint8_t bytes[COMPOSED_MAX + 48], type = combination->type;
    uint8_t length = compose(combination, bytes);
    if (length == 0) {
        return;
    }
    bytes[1] = (uint8_t)(bytes[1] | (with != 0 ? 2 : 0));
    length = append(bytes, length, ies[with].bytes, ies[with].length);
    length = append(bytes, length, payloads[type], payload_lengths[type]);
    length = append(bytes, length, mic, combination->secured ? mics[combination->level % 4] : 0);
    write_frame(bytes, length);
    print_frame(bytes, length);
}

static void add(const struct combination *combination)
{
    if (combination->type == FRAME_ACK && combination->version < 2 && combination->compression) {
        return; /* others call a reserved bit an error */
    }
    add_with(combination, 0);
    if (combination->type == FRAME_DATA && combination->version == 2) {
        for (unsigned with = 1; with < sizeof(ies) / sizeof(ies[0]); with++) {
            add_with(combination, with);
        }
    }
}

static void add_secured(struct combination combination)
{
    combination.secured = true;
    for (combination.level = 1; combination.level < 8; combination.level++) {
        for (combination.key_mode = 0; combination.key_mode < 4; combination.key_mode++) {
            combination.no_counter = false;
            add(&combination);
            combination.no_counter = true;
            add(&combination);
        }
    }
}

static void add_all(struct combination *combination)
{
    for (unsigned bits = 0; bits < 64; bits++) {
        combination->destination = bits & 3;
        combination->source = bits >> 2 & 3;
        combination->compression = (bits & 16) != 0;
        combination->no_sequence = (bits & 32) != 0;
        combination->secured = false;
        add(combination);
        if (combination->destination == 2 && combination->source == 3) {
            add_secured(*combination);
        }
    }
}

int capture(const char *file)
{
    out = fopen(file, "wb");
    require(out != 0);
    write_beginning();
    struct combination combination = {0};
    for (combination.version = 0; combination.version < 3; combination.version++) {
        for (combination.type = 0; combination.type < 4; combination.type++) {
            add_all(&combination);
        }
    }
    return fclose(out) == 0 ? 0 : 1;
}
