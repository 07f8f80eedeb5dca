/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/header.h"

#include "load/calls.h"
#include "machine.h"

enum {
    BYTES = sizeof(struct container_header),
    LINE_MAX = UINT16_MAX - 2, /* bytes of all blocks: addresses have 16 bits */
};

/* What the next byte of the records is. */
enum state {
    STATE_KIND,
    STATE_LENGTH,
    STATE_GROUP_LENGTH,
    STATE_GROUP,
    STATE_LOW,
    STATE_HIGH,
    STATE_SKIP,
    STATE_END,
};

/* -------- the first bytes */

/* Adds to a sum.
 * returns   false: the sum has more than 16 bits
 */
static bool add(uint16_t *sum, uint16_t number)
{
    *sum = (uint16_t)(*sum + number);
    return *sum >= number;
}

/* The lengths of all blocks. Those of constants, code and initial values are even. */
static bool has_lengths(const struct container_header *header)
{
    uint16_t sum = header->constants_bytes;

    return ((header->constants_bytes | header->code_bytes | header->initial_bytes) & 1) == 0 &&
           header->object_bytes % MACHINE_OBJECTS_ALIGN == 0 &&
           header->stack_bytes % MACHINE_STACKS_ALIGN == 0 &&
           header->data_bytes % MACHINE_DATA_ALIGN == 0 && add(&sum, header->code_bytes) &&
           add(&sum, header->initial_bytes) && add(&sum, header->object_bytes) &&
           add(&sum, header->stack_bytes) && add(&sum, header->data_bytes) && sum <= LINE_MAX;
}

/* The tables lie in the constants, and the mutexes in the objects. */
static bool has_rows(const struct container_header *header)
{
    uint16_t bytes =
        (uint16_t)(header->threads * MACHINE_THREAD_ROW + header->receivers * MACHINE_RECEIVER_ROW +
                   header->modules * MACHINE_MODULE_ROW + header->commands * MACHINE_COMMAND_ROW +
                   header->starts * MACHINE_START_ROW);

    return bytes <= header->constants_bytes &&
           (uint16_t)(header->mutexes * MACHINE_MUTEX_ROW) <= header->object_bytes;
}

enum load_error load_header_check(const struct container_header *header)
{
    if (header->magic != CONTAINER_MAGIC || header->format != CONTAINER_FORMAT) {
        return LOAD_NOT_A_CONTAINER;
    }
    if (header->machine != MACHINE) {
        return LOAD_MACHINE;
    }
    if (header->flags > (CONTAINER_HAS_MAC | CONTAINER_RAW) ||
        (header->flags & CONTAINER_TRUST) == CONTAINER_TRUST || header->reserved != 0 ||
        header->name_bytes - 1u >= CONTAINER_NAME_MAX || header->header_bytes % 4 != 0 ||
        header->header_bytes < BYTES + header->name_bytes || !has_lengths(header) ||
        !has_rows(header)) {
        return LOAD_HEADER;
    }
    return LOAD_OK;
}

/* -------- name and records */

static enum load_error take_name(const struct header *header, uint8_t byte)
{
    uint8_t letter = byte | 0x20, digit = (uint8_t)(byte - '0');
    bool is_letter = letter >= 'a' && letter <= 'z';
    bool is_later = (digit < 10 || byte == '_') && header->read > BYTES + 1;

    return is_letter || is_later ? LOAD_OK : LOAD_HEADER;
}

static enum load_error take_kind(struct header *header, uint8_t kind)
{
    header->state = kind == CONTAINER_RECORD_END     ? STATE_END
                    : kind == CONTAINER_RECORD_GROUP ? STATE_GROUP_LENGTH
                                                     : STATE_LENGTH;
    return kind <= CONTAINER_RECORD_GROUP || kind >= CONTAINER_RECORD_OPTIONAL ? LOAD_OK
                                                                               : LOAD_RECORD;
}

static enum load_error take_length(struct header *header, uint8_t length)
{
    uint8_t content = header->state == STATE_GROUP_LENGTH ? STATE_GROUP : STATE_SKIP;

    header->left = length;
    header->state = length == 0 ? STATE_KIND : content;
    return length > header->header.header_bytes - header->read ? LOAD_RECORD : LOAD_OK;
}

static enum load_error take_group(struct header *header, uint8_t high)
{
    uint8_t group = header->group;
    uint16_t fingerprint = (uint16_t)(header->low | (uint16_t)high << 8);

    header->state = STATE_GROUP;
    if (group >= HEADER_GROUPS || !calls_group(group, fingerprint)) {
        return LOAD_GROUP;
    }
    header->groups |= (uint16_t)(1u << group);
    return LOAD_OK;
}

static enum load_error take_content(struct header *header, uint8_t byte)
{
    enum load_error error = LOAD_OK;

    if (header->state == STATE_GROUP) {
        header->group = byte;
        header->state = STATE_LOW;
    } else if (header->state == STATE_LOW) {
        header->low = byte;
        header->state = STATE_HIGH;
    } else if (header->state == STATE_HIGH) {
        error = take_group(header, byte);
    }
    if (--header->left == 0) {
        bool is_whole = header->state != STATE_LOW && header->state != STATE_HIGH;
        header->state = STATE_KIND;
        return is_whole ? error : LOAD_RECORD;
    }
    return error;
}

static enum load_error take_record(struct header *header, uint8_t byte)
{
    switch (header->state) {
    case STATE_KIND:
        return take_kind(header, byte);
    case STATE_LENGTH:
    case STATE_GROUP_LENGTH:
        return take_length(header, byte);
    case STATE_END:
        return byte == 0 ? LOAD_OK : LOAD_RECORD;
    default:
        return take_content(header, byte);
    }
}

/* -------- bytes */

void header_begin(struct header *header)
{
    *header = (struct header){.state = STATE_KIND};
}

bool header_is_complete(const struct header *header)
{
    return header->read >= BYTES && header->read == header->header.header_bytes;
}

/* The last byte of a record may be the last of all, but not its kind. */
static enum load_error take_behind(struct header *header, uint8_t byte)
{
    if (header->read <= BYTES + header->header.name_bytes) {
        return take_name(header, byte);
    }
    enum load_error error = take_record(header, byte);
    if (error == LOAD_OK && header_is_complete(header) && header->state != STATE_KIND &&
        header->state != STATE_END) {
        return LOAD_RECORD;
    }
    return error;
}

enum load_error header_feed(struct header *header, uint8_t byte)
{
    if (header_is_complete(header)) {
        return LOAD_LENGTH;
    }
    uint8_t at = header->read++;
    if (at >= BYTES) {
        return take_behind(header, byte);
    }
    ((uint8_t *)&header->header)[at] = byte;
    return at == BYTES - 1 ? load_header_check(&header->header) : LOAD_OK;
}
