/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The frame codec, fed with bytes that are made at random; or a capture of all frames.
 *
 *     frame SEED EXECUTIONS
 *     frame FILE.pcap
 *
 * The bytes are frames of the standard's tables with information elements behind them, of which
 * most are changed afterwards: a byte, a bit, the end. The same seed gives the same bytes. Without
 * this file, and with -fsanitize=fuzzer, clang makes a libFuzzer of the program.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../mote/ieee802154/compose.h"
#include "frame.h"

static uint32_t state;

static uint32_t any(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (state >> 8) % below;
}

static uint8_t bytes[256];
static size_t length;

static void put(unsigned byte)
{
    if (length < sizeof(bytes)) {
        bytes[length++] = (uint8_t)byte;
    }
}

static void put_le16(unsigned number)
{
    put(number);
    put(number >> 8);
}

static void put_random(unsigned count)
{
    while (count-- > 0) {
        put(any(256));
    }
}

/* Short contents, whose length is a lie now and then. */
static void put_ie(unsigned descriptor)
{
    unsigned content = any(6);
    put_le16(descriptor + (any(20) == 0 ? any(128) : content));
    put_random(content);
}

static void put_ies(void)
{
    for (unsigned count = any(3); count > 0; count--) {
        put_ie(any(0x7e) << 7);
    }
    if (any(3) == 0) {
        put_le16(0x3f80);
        return;
    }
    put_le16(0x3f00);
    for (unsigned count = any(3); count > 0; count--) {
        put_ie(0x8000u | any(15) << 11);
    }
    if (any(2)) {
        put_le16(0xf800);
    }
}

static void make_header(void)
{
    struct combination combination = {
        .type = (uint8_t)any(4),
        .version = (uint8_t)any(3),
        .destination = (uint8_t)any(4),
        .source = (uint8_t)any(4),
        .compression = any(2) != 0,
        .no_sequence = any(4) == 0,
        .secured = any(2) != 0,
        .level = (uint8_t)any(8),
        .key_mode = (uint8_t)any(4),
        .no_counter = any(4) == 0,
        .asn = any(4) == 0,
    };
    length = compose(&combination, bytes);
    if (length != 0 && combination.version == 2 && any(2)) {
        bytes[1] |= 2; /* IEs are present */
        put_ies();
    }
}

static void change(void)
{
    for (unsigned changes = any(3); changes > 0 && length > 0; changes--) {
        size_t at = any(4) ? any((uint32_t)length) : any(2);
        if (at < length) {
            bytes[at] = any(2) ? (uint8_t)any(256) : (uint8_t)(bytes[at] ^ 1u << any(8));
        }
    }
    if (any(4) == 0) {
        length = any((uint32_t)length + 1);
    }
}

static void make(void)
{
    length = 0;
    if (any(8) != 0) {
        make_header();
    }
    put_random(any(16) == 0 ? any(140) : any(30));
    change();
}

static void tell(void)
{
    fprintf(stderr, "input:");
    for (size_t at = 0; at < length; at++) {
        fprintf(stderr, " %02x", bytes[at]);
    }
    fprintf(stderr, "\n");
}

static int run(uint32_t seed, unsigned long executions)
{
    state = seed | 1u << 31;
    host_at_death(tell);
    for (unsigned long execution = 0; execution < executions; execution++) {
        make();
        LLVMFuzzerTestOneInput(bytes, length);
    }
    printf("%lu inputs", executions);
    for (unsigned result = 0; result < FRAME_REFUSALS; result++) {
        if (results[result] != 0) {
            const char *name = frame_refusal_name((enum frame_refusal)result);
            printf("%s %lu %s", result == 0 ? ":" : ",", results[result], name);
        }
    }
    printf("\n");
    for (unsigned result = 0; result <= FRAME_BAD_PAYLOAD_IE; result++) {
        require(executions < 100000 || results[result] != 0);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        return run((uint32_t)strtoul(argv[1], 0, 10), strtoul(argv[2], 0, 10));
    }
    if (argc == 2) {
        return capture(argv[1]);
    }
    fprintf(stderr, "usage: frame SEED EXECUTIONS, or frame FILE.pcap\n");
    return 2;
}
