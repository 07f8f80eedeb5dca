/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Receives secured frames as a mote does, compiled for the host; security.py builds and feeds it,
 * and compares with a receiver of its own.
 *
 * Standard input, a frame for each line, with bytes in hexadecimal:
 *   EXTENDED PAN SHORT AT OPEN FRAME    the sender's extended address, most significant byte first,
 *                                       or - and its short one; where the security header begins;
 *                                       how many bytes behind it are open; the frame without FCS
 *   name EXTENDED PAN SHORT             a short address
 *   add EXTENDED LEAST                  a counter from a trusted source
 *   send LEVEL MODE INDEX SOURCE EXTENDED COUNTER OPEN PRIVATE
 *                                       a frame to be secured; PRIVATE has room for the MIC behind
 * it Standard output, for each frame: REFUSAL FRAME                       a number, and, if it is
 * 0, the frame without its MIC; of one to be secured, the header, and what is private with the MIC
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/aes.h"
#include "net/security/frame.h"

enum {
    KEYS = 4,
    DEVICES = 4,
    LONGEST = 2100,
    LINE = 2 * LONGEST + 200,
};

CIPHER_IS(aes_words)

LINK_SECURITY(security, KEYS, DEVICES);

static struct security_pass pass;

int counter_take(struct counter *counter, uint32_t *number)
{
    *number = counter->next;
    return 0;
}

struct bytes {
    uint8_t *at;
    size_t length;
};

static const char *word(void)
{
    const char *text = strtok(NULL, " \n");
    if (!text) {
        fprintf(stderr, "security: a line is too short\n");
        exit(1);
    }
    return text;
}

static unsigned number(void)
{
    return (unsigned)strtoul(word(), NULL, 0);
}

/* Memory of just the length, so that the sanitizer notices an access beyond it. */
static struct bytes bytes_of(const char *text)
{
    struct bytes bytes = {NULL, text[0] == '-' ? 0 : strlen(text) / 2};
    bytes.at = malloc(bytes.length);
    for (size_t i = 0; i < bytes.length; i++) {
        unsigned byte = 0;
        sscanf(text + 2 * i, "%2x", &byte);
        bytes.at[i] = (uint8_t)byte;
    }
    return bytes;
}

static void put(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        printf("%02x", bytes[i]);
}

/* Passes bytes in two pieces. */
static void open_pieces(const uint8_t *bytes, uint16_t length)
{
    security_open(&pass, bytes, length / 3);
    security_open(&pass, bytes + length / 3, length - length / 3);
}

static void private_pieces(uint8_t *bytes, uint16_t length)
{
    security_private(&pass, bytes, length / 2);
    security_private(&pass, bytes + length / 2, length - length / 2);
}

static void receive(const char *extended)
{
    struct security_header header;
    struct bytes sender = bytes_of(extended);
    struct security_incoming in = {.extended = sender.length > 0 ? sender.at : NULL};
    in.pan = (uint16_t)number();
    in.short_address = (uint16_t)number();
    uint16_t at = (uint16_t)number(), open = (uint16_t)number();
    struct bytes frame = bytes_of(word());
    enum link_refusal refusal =
        security_header_read(frame.at + at, (uint16_t)(frame.length - at), &header);
    if (refusal == LINK_GOOD) {
        open += at + security_header_bytes(&header);
        in.open_bytes = open < frame.length ? open : (uint16_t)frame.length;
        in.other_bytes = (uint16_t)(frame.length - in.open_bytes);
        refusal = security_incoming_begin(&pass, &security, &in, &header);
    }
    uint16_t private_bytes = 0;
    if (refusal == LINK_GOOD) {
        private_bytes = in.other_bytes - security_mic_bytes(header.level);
        open_pieces(frame.at, in.open_bytes);
        private_pieces(frame.at + in.open_bytes, private_bytes);
        refusal = security_incoming_end(&pass, frame.at + in.open_bytes + private_bytes);
    }
    printf("%u ", refusal);
    if (refusal == LINK_GOOD)
        put(frame.at, in.open_bytes + private_bytes);
    printf("\n");
    free(sender.at);
    free(frame.at);
}

static void send(void)
{
    struct security_header header;
    struct link_key_name name = {0};
    struct security_outgoing out = {.key = &name, .level = (uint8_t)number()};
    name.mode = (uint8_t)number();
    name.index = (uint8_t)number();
    struct bytes source = bytes_of(word()), sender = bytes_of(word());
    memcpy(name.source, source.at, source.length);
    security.counter->next = number();
    struct bytes open = bytes_of(word()), private = bytes_of(word());
    uint8_t mic_bytes = security_mic_bytes(out.level), written[SECURITY_HEADER_MOST];
    out.sender = sender.at;
    out.private_bytes = (uint16_t)(private.length - mic_bytes);
    struct security_header same = {.key = name};
    out.open_bytes = (uint16_t)(open.length + security_header_bytes(&same));
    enum link_refusal refusal = security_outgoing_begin(&pass, &security, &out, &header);
    printf("%u ", refusal);
    if (refusal == LINK_GOOD) {
        security_header_write(&header, written);
        open_pieces(open.at, (uint16_t)open.length);
        open_pieces(written, security_header_bytes(&header));
        private_pieces(private.at, out.private_bytes);
        security_outgoing_end(&pass, private.at + out.private_bytes);
        put(written, security_header_bytes(&header));
        put(private.at, private.length);
    }
    printf("\n");
    struct bytes all[] = {source, sender, open, private};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i].at);
}

static void name_or_add(bool is_name)
{
    struct bytes extended = bytes_of(word());
    unsigned first = number();
    if (is_name)
        (void)!link_device_name(&security, extended.at, (uint16_t)first, (uint16_t)number());
    else
        link_device_add(&security, extended.at, first);
    free(extended.at);
}

/* A key of each mode: security.py has the same. */
static void set_keys(void)
{
    for (uint8_t mode = 0; mode < KEYS; mode++) {
        struct link_key_name name = {mode, (uint8_t)(mode + 1), {1, 2, 3, 4, 5, 6, 7, 8}};
        uint8_t key[LINK_KEY_BYTES];
        for (uint8_t i = 0; i < LINK_KEY_BYTES; i++)
            key[i] = (uint8_t)(16 * mode + i);
        if (link_key_set(&security, &name, key, mode == 1 ? LINK_LEVELS_USUAL : 0xee) != 0)
            exit(1);
    }
}

int main(void)
{
    static char line[LINE];
    set_keys();
    while (fgets(line, sizeof line, stdin)) {
        const char *first = strtok(line, " \n");
        if (strcmp(first, "name") == 0 || strcmp(first, "add") == 0)
            name_or_add(first[0] == 'n');
        else if (strcmp(first, "send") == 0)
            send();
        else
            receive(first);
    }
    return 0;
}
