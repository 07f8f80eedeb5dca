/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A token passes in this order, each step at most once:
 *
 *     token, count, escape, operand, literals, field
 *
 * Most of a program is literals. They are passed in runs, of which each lies in one section, in as
 * large pieces as they come; all else byte by byte.
 */
#include "load/linker_state.h"
#include "fields.h"

/* What the next byte is, or halfword. */
enum state {
    STATE_LITERAL,
    STATE_FIELD,
    STATE_OPERAND, /* these three are halfwords */
    STATE_TOKEN,
    STATE_COUNT,
    STATE_ESCAPE,
    STATE_COMPLETE,
    STATE_REFUSED,
};

enum {
    TOKEN_COUNT_BITS = 5,
    TOKEN_COUNT = 31, /* mask; all of it: a number follows */
    TOKEN_ESCAPE = 7,
    ESCAPE_KIND_BITS = 5,
    ESCAPE_KIND = 31, /* mask */
    DIGIT_MORE = 0x80,
    DIGIT_LAST = 1, /* the third byte of a number of 15 bits is not above it */
    LITERALS_MAX = 0x7fff,
};

/* -------- the order of what comes */

/* Goes on to the next section that is not empty.
 * returns   its halfwords; 0: there is none
 */
static uint16_t find_section(struct linker *linker)
{
    while (linker->left == 0 && linker->section < SECTIONS - 1) {
        linker->section++;
        linker->left = linker->later[0];
        linker->later[0] = linker->later[1];
        linker->later[1] = 0;
    }
    return linker->left;
}

/* The literals have passed. */
static enum load_error begin_behind(struct linker *linker, uint16_t left)
{
    if (linker->field == 0) {
        linker->state = left != 0 ? STATE_TOKEN : STATE_COMPLETE;
        return LOAD_OK;
    }
    uint8_t halfwords = linker->field & FIELD_WIDE ? 2 : 1;
    if (left < halfwords) {
        return LOAD_TOKEN;
    }
    if (!fields_begin(linker)) {
        return LOAD_FIELD;
    }
    linker->left = (uint16_t)(left - halfwords);
    linker->state = STATE_FIELD;
    return LOAD_OK;
}

/* Chooses the next run of literals, the field behind them, or the next token. */
static enum load_error go_on(struct linker *linker)
{
    uint16_t left = find_section(linker), literals = linker->literals;

    if (literals == 0) {
        return begin_behind(linker, left);
    }
    if (left == 0) {
        return LOAD_TOKEN;
    }
    uint16_t run = left < literals ? left : literals;
    linker->run = run;
    linker->literals = (uint16_t)(literals - run);
    linker->left = (uint16_t)(left - run);
    linker->state = STATE_LITERAL;
    return LOAD_OK;
}

void linker_begin(struct linker *linker, const struct container_header *header,
                  const struct blocks *blocks)
{
    *linker = (struct linker){.state = STATE_TOKEN};
    linker->left = header->constants_bytes / 2;
    linker->later[0] = header->code_bytes / 2;
    linker->later[1] = header->initial_bytes / 2;
    linker->bytes[BLOCK_FLASH] =
        (uint16_t)(header->constants_bytes + header->code_bytes + header->initial_bytes);
    linker->bytes[BLOCK_OBJECTS] = (uint16_t)(header->object_bytes + header->stack_bytes);
    linker->bytes[BLOCK_DATA] = header->data_bytes;
    linker->begin[BLOCK_FLASH] = (uintptr_t)blocks->code;
    linker->begin[BLOCK_OBJECTS] = blocks->objects;
    linker->begin[BLOCK_DATA] = blocks->data;
    (void)go_on(linker);
}

bool linker_is_complete(const struct linker *linker)
{
    return linker->state == STATE_COMPLETE;
}

enum load_error linker_end(const struct linker *linker)
{
    return linker_is_complete(linker) ? LOAD_OK : LOAD_LENGTH;
}

/* -------- addresses */

/* Addresses are on one line: the blocks, with the place behind each. */
enum load_error linker_find(struct linker *linker, uint16_t line)
{
    for (uint8_t block = 0; block < BLOCKS; block++) {
        uint16_t bytes = linker->bytes[block];
        if (line <= bytes) {
            linker->value = linker->begin[block] + line;
            linker->is_flash = block == BLOCK_FLASH;
            return LOAD_OK;
        }
        line = (uint16_t)(line - bytes - 1);
    }
    return LOAD_ADDRESS;
}

enum load_error linker_find_call(struct linker *linker, uint16_t number)
{
    linker->value = number <= UINT8_MAX ? linker_call((uint8_t)number) : 0;
    linker->is_flash = true;
    return linker->value != 0 ? LOAD_OK : LOAD_CALL;
}

static enum load_error take_operand(struct linker *linker, uint16_t operand)
{
    uint8_t base = linker->base;
    enum load_error error = LOAD_OK;

    if (base == BLOCKS) {
        error = linker_find(linker, operand);
    } else if (operand == (uint16_t)INT16_MIN) {
        error = LOAD_ADDRESS;
    } else {
        linker->value = linker->begin[base] + (uintptr_t)(int16_t)operand;
        linker->is_flash = base == BLOCK_FLASH;
    }
    if (error == LOAD_OK && !fields_value(linker, linker->field)) {
        error = LOAD_ADDRESS;
    }
    linker->operand = linker->value;
    linker->has_value = true;
    return error != LOAD_OK ? error : go_on(linker);
}

/* -------- tokens */

/* The kind is known; `base` too. */
static enum load_error begin_field(struct linker *linker, uint8_t kind)
{
    uint8_t field = kind < MACHINE_KINDS ? fields_by_kind[kind] : 0;
    bool has_base = linker->base != BLOCKS;

    if (field == 0 || ((field & FIELD_CALL) != 0 && has_base)) {
        return LOAD_TOKEN;
    }
    linker->field = field;
    if (has_base || fields_is_byte(field)) {
        linker->state = STATE_OPERAND;
        return LOAD_OK;
    }
    return go_on(linker);
}

/* The number of literals is known. `field` is the token's kind. */
static enum load_error begin_kind(struct linker *linker)
{
    uint8_t kind = linker->field;

    if (kind == 0) {
        return go_on(linker);
    }
    if (kind == TOKEN_ESCAPE) {
        linker->state = STATE_ESCAPE;
        return LOAD_OK;
    }
    return begin_field(linker, kind);
}

static enum load_error take_escape(struct linker *linker, uint8_t byte)
{
    uint8_t base = byte >> ESCAPE_KIND_BITS;

    if (base > BLOCKS) {
        return LOAD_TOKEN;
    }
    if (base != 0) {
        linker->base = base - 1u;
    }
    return begin_field(linker, byte & ESCAPE_KIND);
}

static enum load_error take_token(struct linker *linker, uint8_t token)
{
    uint8_t count = token & TOKEN_COUNT;

    linker->field = token >> TOKEN_COUNT_BITS;
    linker->base = BLOCKS;
    linker->has_value = false;
    linker->literals = count;
    linker->digits = 0;
    linker->state = STATE_COUNT;
    return count == TOKEN_COUNT ? LOAD_OK : begin_kind(linker);
}

/* A byte of a number of literals. */
static enum load_error take_digit(struct linker *linker, uint8_t digit)
{
    uint16_t bits = digit & (DIGIT_MORE - 1u);
    uint8_t before = linker->digits++;

    if (before == 0) {
        linker->literals = bits;
    } else if (before == 1) {
        linker->literals |= (uint16_t)(bits << 7);
    } else if (digit <= DIGIT_LAST) {
        linker->literals |= (uint16_t)(bits << 14);
    } else {
        return LOAD_TOKEN;
    }
    if (digit & DIGIT_MORE) {
        return LOAD_OK;
    }
    if (linker->literals > LITERALS_MAX - TOKEN_COUNT) {
        return LOAD_TOKEN;
    }
    linker->literals += TOKEN_COUNT;
    return begin_kind(linker);
}

/* -------- bytes */

static enum load_error take_field(struct linker *linker, uint16_t halfword)
{
    enum load_error error = fields_take(linker, halfword);
    return error != LOAD_OK || linker->field != 0 ? error : go_on(linker);
}

static enum load_error take_byte(struct linker *linker, uint8_t byte)
{
    uint8_t state = linker->state;

    if (state == STATE_TOKEN) {
        return take_token(linker, byte);
    }
    if (state == STATE_ESCAPE) {
        return take_escape(linker, byte);
    }
    return take_digit(linker, byte);
}

/* Passes literals. Only of code it matters which they are.
 * error     set if they are refused
 * returns   behind them, or behind the one that is the reason
 */
static const uint8_t *put_literals(struct linker *linker, const uint8_t *at, const uint8_t *end,
                                   enum load_error *error)
{
    const bool is_code = linker->section == SECTION_CODE;
    bool follows = is_code && linker->follows != 0;
    enum load_error refused;

    do {
        uint8_t low = *at++, high = *at++;
        uint16_t halfword = (uint16_t)(low | high << 8);

        if (follows || (fields_is_long(high) && is_code)) {
            refused = fields_follow(linker, halfword);
            follows = linker->follows != 0;
        } else {
            refused = linker_put(halfword);
        }
        if (refused != LOAD_OK) {
            *error = refused;
            break;
        }
    } while (at != end);
    return at;
}

/* As many as there are, and of one run. */
static const uint8_t *take_literals(struct linker *linker, const uint8_t *at, uint16_t count,
                                    enum load_error *error)
{
    uint16_t run = linker->run;

    count = count < run ? count : run;
    linker->run = (uint16_t)(run - count);
    at = put_literals(linker, at, at + 2 * count, error);
    if (*error == LOAD_OK && linker->run == 0) {
        *error = go_on(linker);
    }
    return at;
}

static const uint8_t *take_halfword(struct linker *linker, const uint8_t *at, uint16_t count,
                                    enum load_error *error)
{
    if (linker->state == STATE_LITERAL) {
        return take_literals(linker, at, count, error);
    }
    uint16_t halfword = (uint16_t)(at[0] | at[1] << 8);
    *error = linker->state == STATE_FIELD ? take_field(linker, halfword)
                                          : take_operand(linker, halfword);
    return at + 2;
}

/* A byte, a halfword, or a run of them. */
static const uint8_t *step(struct linker *linker, const uint8_t *at, uint16_t count,
                           enum load_error *error)
{
    uint8_t pair[2];

    if (linker->state > STATE_OPERAND) {
        *error = take_byte(linker, *at);
        return at + 1;
    }
    if (linker->has_low) {
        linker->has_low = false;
        pair[0] = linker->low;
        pair[1] = *at;
        (void)take_halfword(linker, pair, 1, error);
        return at + 1;
    }
    if (count >= 2) {
        return take_halfword(linker, at, count / 2, error);
    }
    linker->has_low = true;
    linker->low = *at;
    return at + 1;
}

enum load_error linker_feed(struct linker *linker, const uint8_t *bytes, uint16_t count,
                            uint16_t *taken)
{
    const uint8_t *at = bytes, *const end = bytes + count;
    enum load_error error = linker->state < STATE_COMPLETE ? LOAD_OK : LOAD_LENGTH;

    while (at != end && error == LOAD_OK && linker->state != STATE_COMPLETE) {
        at = step(linker, at, (uint16_t)(end - at), &error);
    }
    *taken = (uint16_t)(at - bytes);
    if (error != LOAD_OK) {
        linker->state = STATE_REFUSED;
    }
    return error;
}
