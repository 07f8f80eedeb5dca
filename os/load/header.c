/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/header.h"

#include "load/calls.h"
#include "fields.h"

enum {
    BYTES = sizeof(struct container_header),
    LINE_MAX = UINT16_MAX - 2 - 0x100, /* bytes of all blocks: addresses have 16 bits, and those of
                                          AVR's instructions begin at 0x100 */
};

/* What the next byte of the records is. */
enum state {
    STATE_KIND,
    STATE_LENGTH,
    STATE_GROUP_LENGTH,
    STATE_PARTITION_LENGTH,
    STATE_GROUP,
    STATE_LOW,
    STATE_HIGH,
    STATE_STACK_LENGTH,
    STATE_STACK_LOW,
    STATE_STACK_HIGH,
    STATE_PARTITION,
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
                   header->starts * MACHINE_START_ROW + header->events * MACHINE_EVENT_ROW);

    return bytes <= header->constants_bytes &&
           (uint16_t)(header->mutexes * MACHINE_MUTEX_ROW) <= header->object_bytes;
}

/* They run at the kernel level. */
static bool has_foreign_events(const struct container_header *header)
{
    return header->events != 0 && (header->flags & CONTAINER_TRUST) != CONTAINER_TRUSTED;
}

enum load_error container_check(const struct container_header *header)
{
    if (header->magic != CONTAINER_MAGIC || header->format != CONTAINER_FORMAT) {
        return LOAD_NOT_A_CONTAINER;
    }
    if (header->machine != MACHINE) {
        return LOAD_MACHINE;
    }
    if (header->flags > (CONTAINER_HAS_MAC | CONTAINER_RAW) ||
        (header->flags & CONTAINER_TRUST) == CONTAINER_TRUST || has_foreign_events(header) ||
        header->name_bytes - 1u >= CONTAINER_NAME_MAX || header->header_bytes % 4 != 0 ||
        header->header_bytes < BYTES + header->name_bytes || !has_lengths(header) ||
        !has_rows(header)) {
        return LOAD_HEADER;
    }
    return LOAD_OK;
}

/* -------- name and records */

static enum load_error take_name(const struct container_reader *reader, uint8_t byte)
{
    uint8_t letter = byte | 0x20, digit = (uint8_t)(byte - '0');
    bool is_letter = letter >= 'a' && letter <= 'z';
    bool is_later = (digit < 10 || byte == '_') && reader->read > BYTES + 1;

    return is_letter || is_later ? LOAD_OK : LOAD_HEADER;
}

static enum load_error take_kind(struct container_reader *reader, uint8_t kind)
{
    reader->state = kind == CONTAINER_RECORD_END           ? STATE_END
                    : kind == CONTAINER_RECORD_GROUP       ? STATE_GROUP_LENGTH
                    : kind == CONTAINER_RECORD_EVENT_STACK ? STATE_STACK_LENGTH
                    : kind == CONTAINER_RECORD_PARTITION   ? STATE_PARTITION_LENGTH
                                                           : STATE_LENGTH;
    return kind <= CONTAINER_RECORD_PARTITION || kind >= CONTAINER_RECORD_OPTIONAL ? LOAD_OK
                                                                                   : LOAD_RECORD;
}

static enum load_error take_length(struct container_reader *reader, uint8_t length)
{
    bool is_of_stack = reader->state == STATE_STACK_LENGTH;
    bool is_partition = reader->state == STATE_PARTITION_LENGTH;
    uint8_t content = reader->state == STATE_GROUP_LENGTH ? STATE_GROUP
                      : is_of_stack                       ? STATE_STACK_LOW
                      : is_partition                      ? STATE_PARTITION
                                                          : STATE_SKIP;
    bool is_empty = length == 0 && is_partition;

    if (is_of_stack && length != sizeof(reader->event_stack)) {
        return LOAD_RECORD;
    }
    reader->left = length;
    reader->state = length == 0 ? STATE_KIND : content;
    return is_empty || length > reader->header.header_bytes - reader->read ? LOAD_RECORD : LOAD_OK;
}

static enum load_error take_group(struct container_reader *reader, uint8_t high)
{
    uint16_t fingerprint = (uint16_t)(reader->low | (uint16_t)high << 8);

    reader->state = STATE_GROUP;
    return calls_group(reader->group, fingerprint) ? LOAD_OK : LOAD_GROUP;
}

static enum load_error take_content(struct container_reader *reader, uint8_t byte)
{
    enum load_error error = LOAD_OK;

    if (reader->state == STATE_GROUP) {
        reader->group = byte;
        reader->state = STATE_LOW;
    } else if (reader->state == STATE_LOW) {
        reader->low = byte;
        reader->state = STATE_HIGH;
    } else if (reader->state == STATE_HIGH) {
        error = take_group(reader, byte);
    } else if (reader->state == STATE_STACK_LOW) {
        reader->low = byte;
        reader->state = STATE_STACK_HIGH;
    } else if (reader->state == STATE_STACK_HIGH) {
        reader->event_stack = (uint16_t)(reader->low | (uint16_t)byte << 8);
    } else if (reader->state == STATE_PARTITION) {
        error = partition_take(&reader->partition, byte, reader->left == 1);
    }
    if (--reader->left == 0) {
        bool is_whole = reader->state != STATE_LOW && reader->state != STATE_HIGH;
        reader->state = STATE_KIND;
        return is_whole ? error : LOAD_RECORD;
    }
    return error;
}

static enum load_error take_record(struct container_reader *reader, uint8_t byte)
{
    switch (reader->state) {
    case STATE_KIND:
        return take_kind(reader, byte);
    case STATE_LENGTH:
    case STATE_GROUP_LENGTH:
    case STATE_STACK_LENGTH:
    case STATE_PARTITION_LENGTH:
        return take_length(reader, byte);
    case STATE_END:
        return byte == 0 ? LOAD_OK : LOAD_RECORD;
    default:
        return take_content(reader, byte);
    }
}

/* -------- bytes */

void container_begin(struct container_reader *reader)
{
    *reader = (struct container_reader){.state = STATE_KIND};
}

bool container_is_complete(const struct container_reader *reader)
{
    return reader->read >= BYTES && reader->read == reader->header.header_bytes;
}

/* The last byte of a record may be the last of all, but not its kind. */
static bool ends_well(const struct container_reader *reader)
{
    return (reader->state == STATE_KIND || reader->state == STATE_END) &&
           (reader->event_stack != 0) == (reader->header.events != 0);
}

static enum load_error take_behind(struct container_reader *reader, uint8_t byte)
{
    bool is_of_name = reader->read <= BYTES + reader->header.name_bytes;
    enum load_error error = is_of_name ? take_name(reader, byte) : take_record(reader, byte);

    return error == LOAD_OK && container_is_complete(reader) && !ends_well(reader) ? LOAD_RECORD
                                                                                   : error;
}

enum load_error container_feed(struct container_reader *reader, uint8_t byte)
{
    if (container_is_complete(reader)) {
        return LOAD_LENGTH;
    }
    uint8_t at = reader->read++;
    if (at >= BYTES) {
        return take_behind(reader, byte);
    }
    ((uint8_t *)&reader->header)[at] = byte;
    return at == BYTES - 1 ? container_check(&reader->header) : LOAD_OK;
}

/* -------- an image without partitions */

enum load_error partition_take_none(struct partition_reader *reader, uint8_t byte, bool is_last)
{
    (void)reader;
    (void)byte;
    return is_last ? LOAD_PARTITION : LOAD_OK;
}
