/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Does what it is told with the system's CCM*, compiled for the host; ccm.py builds and feeds it,
 * and compares with somebody else's.
 *
 * Standard input, in hexadecimal, where - is nothing:
 *   TEXT TAG KEY NONCE HEADER PLAIN SEED    the text of AES (words, bytes), bytes of the tag, and a
 *                                           number from which the lengths of the pieces follow
 * Standard output, for each line:
 *   ENCIPHERED TAG WRONG    and how many of some changes to header, text and tag were not noticed
 * Deciphering that does not give the plain text again, or writing beyond it, ends the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/aes.h"
#include "crypto/ccm.h"

enum {
    LONGEST = 1 << 16,
    LINE = 4 * LONGEST + 1024,
    CHANGES = 6,
};

static void (*encrypt)(const union cipher_block *key, union cipher_block *block);

void cipher_encrypt(const union cipher_block *key, union cipher_block *block)
{
    encrypt(key, block);
}

static void fail(const char *why)
{
    fprintf(stderr, "ccm: %s\n", why);
    exit(1);
}

struct bytes {
    uint8_t *at;
    size_t length;
};

/* Memory of just that length, so that the sanitizer notices an access beyond it. */
static struct bytes copy(const uint8_t *from, size_t length)
{
    struct bytes bytes = {malloc(length), length};
    if (length > 0)
        memcpy(bytes.at, from, length);
    return bytes;
}

static struct bytes next(void)
{
    static uint8_t room[LONGEST];
    const char *text = strtok(NULL, " \n");
    size_t count = 0;
    unsigned byte;
    if (!text)
        fail("a line is too short");
    while (count < LONGEST && sscanf(text + 2 * count, "%2x", &byte) == 1)
        room[count++] = (uint8_t)byte;
    return copy(room, count);
}

static void put(struct bytes bytes)
{
    for (size_t i = 0; i < bytes.length; i++)
        printf("%02x", bytes.at[i]);
    printf(bytes.length > 0 ? " " : "- ");
}

static uint32_t seed;

static uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* The length of the next piece of what is left. */
static uint16_t piece(size_t left)
{
    uint32_t most = draw() % 3 == 0 ? 40 : 400;
    uint32_t length = draw() % most;
    return (uint16_t)(length < left ? length : left);
}

struct sealed {
    union cipher_block key;
    uint8_t nonce[CCM_NONCE_BYTES];
    struct bytes header, text, tag;
};

static struct ccm begin(const struct sealed *s)
{
    struct ccm ccm;
    ccm_begin(&ccm, &s->key, s->nonce, (uint16_t)s->header.length, (uint16_t)s->text.length,
              (uint8_t)s->tag.length);
    for (size_t at = 0; at < s->header.length;) {
        uint16_t length = piece(s->header.length - at);
        ccm_header(&ccm, s->header.at + at, length);
        at += length;
    }
    return ccm;
}

static void seal(struct sealed *s)
{
    struct ccm ccm = begin(s);
    for (size_t at = 0; at < s->text.length;) {
        uint16_t length = piece(s->text.length - at);
        ccm_encrypt(&ccm, s->text.at + at, length);
        at += length;
    }
    ccm_tag(&ccm, s->tag.at);
}

/* Deciphers a copy of it. */
static bool open(const struct sealed *s, const struct bytes *plain)
{
    struct bytes text = copy(s->text.at, s->text.length);
    struct ccm ccm = begin(s);
    for (size_t at = 0; at < text.length;) {
        uint16_t length = piece(text.length - at);
        ccm_decrypt(&ccm, text.at + at, length);
        at += length;
    }
    bool is_genuine = ccm_check(&ccm, s->tag.at);
    if (plain && text.length > 0 && memcmp(plain->at, text.at, text.length) != 0)
        fail("what was deciphered is not what was enciphered");
    free(text.at);
    return is_genuine;
}

static bool change_is_noticed(struct sealed *s, struct bytes bytes)
{
    if (bytes.length == 0)
        return true;
    uint32_t at = draw() % bytes.length;
    uint8_t bit = (uint8_t)(1u << draw() % 8);
    bytes.at[at] ^= bit;
    bool is_noticed = !open(s, NULL);
    bytes.at[at] ^= bit;
    return is_noticed;
}

static unsigned unnoticed(struct sealed *s)
{
    unsigned count = 0;
    if (s->tag.length == 0)
        return 0;
    for (unsigned i = 0; i < CHANGES; i++) {
        struct bytes of[] = {s->header, s->text, s->tag};
        count += !change_is_noticed(s, of[i % 3]);
    }
    return count;
}

static void run(const char *text)
{
    struct sealed s;
    encrypt = strcmp(text, "words") == 0 ? aes_words_encrypt : aes_bytes_encrypt;
    s.tag = copy((uint8_t[CCM_TAG_MAX]){0}, (size_t)atoi(strtok(NULL, " \n")));
    struct bytes key = next(), nonce = next();
    if (key.length != sizeof s.key || nonce.length != sizeof s.nonce)
        fail("a key or a nonce of another length");
    memcpy(&s.key, key.at, key.length);
    memcpy(s.nonce, nonce.at, nonce.length);
    s.header = next();
    s.text = next();
    struct bytes plain = copy(s.text.at, s.text.length);
    seed = (uint32_t)strtoul(strtok(NULL, " \n"), NULL, 10);
    seal(&s);
    if (!open(&s, &plain))
        fail("what was sealed is not genuine");
    put(s.text);
    put(s.tag);
    printf("%u\n", unnoticed(&s));
    struct bytes all[] = {key, nonce, s.header, s.text, s.tag, plain};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i].at);
}

int main(void)
{
    static char line[LINE];
    while (fgets(line, sizeof line, stdin))
        run(strtok(line, " \n"));
    return 0;
}
