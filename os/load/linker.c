/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A token passes in this order, each step at most once:
 *
 *     token, count, escape, call | address | distance | distance, literals, field
 *
 * When its operand has come, what its field is set to is known. Its literals are passed in runs, of
 * which each lies in one section.
 */
#include "load/linker_state.h"
#include "fields.h"

/* What the next byte is. */
enum state {
    STATE_LITERAL_LOW,
    STATE_FIELD_LOW,
    STATE_DISTANCE_LOW,
    STATE_LITERAL_HIGH, /* these three follow those */
    STATE_FIELD_HIGH,
    STATE_DISTANCE_HIGH,
    STATE_TOKEN,
    STATE_COUNT,
    STATE_ESCAPE,
    STATE_CALL,
    STATE_ADDRESS,
    STATE_COMPLETE,
    STATE_REFUSED,
    STATE_NEXT, /* go_on says it */
};

enum {
    TOKEN_COUNT_BITS = 5,
    TOKEN_COUNT = 31, /* mask; all of it: a number follows */
    TOKEN_ESCAPE = 7,
    ESCAPE_KIND_BITS = 5,
    ESCAPE_KIND = 31, /* mask */
    DIGIT_MORE = 0x80,
    DIGIT_LAST = 7, /* the third byte of a number of 17 bits is not above it */
    LITERALS_MAX = 0x7fff,
};

/* -------- the order of what comes */

/* Goes on to the next section that is not empty.
 * returns   its halfwords; 0: there is none
 */
static __attribute__((noinline)) uint16_t find_section(struct linker *linker)
{
    while (linker->left == 0 && linker->section < SECTIONS - 1) {
        linker->section++;
        linker->left = linker->later[0];
        linker->later[0] = linker->later[1];
        linker->later[1] = 0;
    }
    linker->follows = 0;
    return linker->left;
}

/* The literals have passed. */
static enum load_error begin_behind(struct linker *linker, uint16_t left)
{
    if (linker->field == 0) {
        linker->state = left != 0 ? STATE_TOKEN : STATE_COMPLETE;
        return LOAD_OK;
    }
    if (left == 0 || (left == 1 && (linker->field & FIELD_WIDE))) {
        return LOAD_TOKEN;
    }
    if (!fields_begin(linker)) {
        return LOAD_FIELD;
    }
    linker->left = (uint16_t)(linker->left - (linker->field & FIELD_WIDE ? 2 : 1));
    linker->state = STATE_FIELD_LOW;
    return LOAD_OK;
}

/* Chooses the next run of literals, the field behind them, or the next token. */
static __attribute__((noinline)) enum load_error go_on(struct linker *linker)
{
    uint16_t left = linker->left, literals = linker->literals;

    if (left == 0) {
        left = find_section(linker);
    }
    if (literals == 0) {
        return begin_behind(linker, left);
    }
    if (left == 0) {
        return LOAD_TOKEN;
    }
    uint16_t most = left < literals ? left : literals;
    uint8_t run = most < UINT8_MAX ? (uint8_t)most : UINT8_MAX;
    linker->run = run;
    linker->literals = (uint16_t)(literals - run);
    linker->left = (uint16_t)(left - run);
    linker->state = STATE_LITERAL_LOW;
    return LOAD_OK;
}

void linker_begin(struct linker *linker, const struct container_header *header,
                  const struct blocks *blocks)
{
    *linker = (struct linker){.state = STATE_NEXT};
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

/* -------- what a token's field is set to */

static enum load_error set_value(struct linker *linker, uintptr_t value, bool is_flash)
{
    linker->value = value;
    linker->state = STATE_NEXT;
    return fields_value(linker, is_flash) ? LOAD_OK : LOAD_ADDRESS;
}

static enum load_error take_call(struct linker *linker, uint8_t id)
{
    uintptr_t address = linker_call(id);
    return address != 0 ? set_value(linker, address, true) : LOAD_CALL;
}

static enum load_error take_distance(struct linker *linker, uint8_t high)
{
    int16_t distance = (int16_t)(linker->low | (uint16_t)high << 8);
    uintptr_t begin = linker->begin[linker->base];

    if (distance == INT16_MIN) {
        return LOAD_ADDRESS;
    }
    return set_value(linker, begin + (uintptr_t)distance, linker->base == BLOCK_FLASH);
}

/* The number is the distance to the last address of the same kind, its sign in bit 0. Addresses
 * are on one line: the blocks, with the place behind each. */
static enum load_error take_address(struct linker *linker)
{
    uint16_t *last = &linker->last[fields_last(linker->field)];
    uint16_t before = *last, line = (uint16_t)(before + linker->number);

    if (linker->is_odd) {
        line = (uint16_t)(before - linker->number - 1);
    }
    if (linker->is_odd ? line >= before : line < before) {
        return LOAD_ADDRESS;
    }
    *last = line;
    for (uint8_t block = 0; block < BLOCKS; block++) {
        uint16_t bytes = linker->bytes[block];
        if (line <= bytes) {
            return set_value(linker, linker->begin[block] + line, block == BLOCK_FLASH);
        }
        line = (uint16_t)(line - bytes - 1);
    }
    return LOAD_ADDRESS;
}

/* -------- tokens */

static enum load_error begin_field(struct linker *linker, uint8_t kind, uint8_t state)
{
    uint8_t field = kind < MACHINE_KINDS ? fields_by_kind[kind] : 0;

    if (field & FIELD_CALL) {
        field = state == STATE_ADDRESS ? field : 0; /* a call has no base */
        state = STATE_CALL;
    }
    linker->field = field;
    linker->digits = 0;
    linker->state = state;
    return field != 0 ? LOAD_OK : LOAD_TOKEN;
}

/* The number of literals is known. `field` is the token's kind. */
static enum load_error begin_kind(struct linker *linker)
{
    uint8_t kind = linker->field;

    linker->state = kind == 0 ? STATE_NEXT : STATE_ESCAPE;
    if (kind == 0 || kind == TOKEN_ESCAPE) {
        return LOAD_OK;
    }
    return begin_field(linker, kind, STATE_ADDRESS);
}

static enum load_error take_escape(struct linker *linker, uint8_t byte)
{
    uint8_t base = byte >> ESCAPE_KIND_BITS;

    linker->base = (uint8_t)(base - 1);
    if (base > BLOCKS) {
        return LOAD_TOKEN;
    }
    return begin_field(linker, byte & ESCAPE_KIND, base != 0 ? STATE_DISTANCE_LOW : STATE_ADDRESS);
}

static enum load_error take_token(struct linker *linker, uint8_t token)
{
    uint8_t count = token & TOKEN_COUNT;

    linker->field = token >> TOKEN_COUNT_BITS;
    linker->literals = count;
    linker->digits = 0;
    linker->state = STATE_COUNT;
    return count == TOKEN_COUNT ? LOAD_OK : begin_kind(linker);
}

static enum load_error take_number(struct linker *linker)
{
    if (linker->state == STATE_ADDRESS) {
        return take_address(linker);
    }
    if (linker->number >= LITERALS_MAX / 2) {
        return LOAD_TOKEN;
    }
    linker->literals = (uint16_t)(TOKEN_COUNT + 2 * linker->number + linker->is_odd);
    return begin_kind(linker);
}

/* A byte of a number: of literals, or of an address. */
static enum load_error take_digit(struct linker *linker, uint8_t digit)
{
    uint8_t bits = digit & (DIGIT_MORE - 1u), before = linker->digits++;

    if (before == 0) {
        linker->is_odd = digit & 1;
        linker->number = bits >> 1;
    } else if (before == 1) {
        linker->number |= (uint16_t)((uint16_t)bits << 6);
    } else if (digit <= DIGIT_LAST) {
        linker->number |= (uint16_t)((uint16_t)bits << 13);
    } else {
        return LOAD_TOKEN;
    }
    return digit & DIGIT_MORE ? LOAD_OK : take_number(linker);
}

/* -------- bytes */

static enum load_error put(const struct linker *linker)
{
    return linker_put((uint16_t)(linker->low | (uint16_t)linker->high << 8));
}

static enum load_error put_field(struct linker *linker)
{
    uint8_t field = linker->field;

    if (!fields_set(linker)) {
        return LOAD_FIELD;
    }
    linker->state = STATE_NEXT;
    linker->field = 0;
    if (field & FIELD_WIDE) {
        linker->state = STATE_FIELD_LOW;
        linker->field = (uint8_t)(field - FIELD_WIDE + 1);
    }
    return put(linker);
}

static enum load_error put_literal(struct linker *linker)
{
    linker->state = linker->run == 0 ? STATE_NEXT : STATE_LITERAL_LOW;
    fields_follow(linker);
    return put(linker);
}

/* In the order of how many there are. */
static enum load_error take_byte(struct linker *linker, uint8_t byte)
{
    uint8_t state = linker->state;

    if (state == STATE_FIELD_HIGH) {
        linker->high = byte;
        return put_field(linker);
    }
    if (state == STATE_ADDRESS || state == STATE_COUNT) {
        return take_digit(linker, byte);
    }
    if (state == STATE_TOKEN) {
        return take_token(linker, byte);
    }
    if (state == STATE_LITERAL_HIGH) {
        linker->high = byte;
        return put_literal(linker);
    }
    if (state == STATE_CALL) {
        return take_call(linker, byte);
    }
    if (state == STATE_ESCAPE) {
        return take_escape(linker, byte);
    }
    return state == STATE_DISTANCE_HIGH ? take_distance(linker, byte) : LOAD_LENGTH;
}

static __attribute__((noinline)) enum load_error step(struct linker *linker, uint8_t byte)
{
    enum load_error error = take_byte(linker, byte);

    if (error == LOAD_OK && linker->state == STATE_NEXT) {
        error = go_on(linker);
    }
    if (error != LOAD_OK) {
        linker->state = STATE_REFUSED;
    }
    return error;
}

/* Most bytes are literals, or the first ones of halfwords: they return as early as they can. */
enum load_error linker_feed(struct linker *linker, uint8_t byte)
{
    uint8_t state = linker->state;

    if (state < STATE_LITERAL_HIGH) {
        linker->low = byte;
        linker->state = (uint8_t)(state + STATE_LITERAL_HIGH);
        return LOAD_OK;
    }
    if (state != STATE_LITERAL_HIGH || --linker->run == 0 || fields_is_long(linker, byte)) {
        return step(linker, byte);
    }
    linker->state = STATE_LITERAL_LOW;
    return linker_put((uint16_t)(linker->low | (uint16_t)byte << 8));
}
