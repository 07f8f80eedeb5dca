/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/install.h"

#include <stddef.h>
#include <string.h>

#include <lichen/clock.h>

#include "base/crc32.h"
#include "load/calls.h"
#include "load/header.h"
#include "load/linker_state.h"
#include "load/mac.h"
#include "load/place.h"
#include "load/region.h"
#include "load/table.h"
#include "load/writer.h"

enum {
    HEADER_EVENTS = offsetof(struct container_header, events),
};

_Static_assert(HEADER_EVENTS % 2 == 1, "the higher byte of a halfword");

/* What comes next. */
enum step {
    STEP_NONE,
    STEP_HEADER,  /* the fixed part, the name and records */
    STEP_PROGRAM, /* what the linker takes */
    STEP_CRC,
    STEP_MAC,
    STEP_END,
};

static struct {
    uint32_t position; /* bytes of the container that were taken */
    uint32_t crc;      /* of these */
    uint8_t step;
    uint8_t error;
    uint8_t low;   /* of a halfword of the header */
    uint8_t tail;  /* bytes behind the program */
    uint8_t index; /* the free row */
    uint8_t rows;  /* of its name, a bit each */
    struct directory_row row;
    /* One after the other. */
    union {
        struct {
            struct container_reader header;
            char name[TABLE_NAME_BYTES];
        };
        struct linker linker;
        uint8_t tag[CONTAINER_MAC_BYTES];
    };
    struct cmac cmac;
} install;

/* On AVR the page is in the chip. */
_Static_assert(!ARCH_FLASH_IS_APART || sizeof(install) <= 120, "RAM is scarce");

/* Half of the time goes into checksums. Requested only while bytes are taken: a clock that changes
 * while a serial line receives loses what it receives. */
CLOCK_REQUEST(install_clock);

void install_begin(uint8_t instance)
{
    memset(&install, 0, sizeof(install));
    install.crc = CRC32_BEGIN;
    install.step = STEP_HEADER;
    install.row.instance = instance;
    calls_forget();
    container_begin(&install.header);
    writer_begin();
}

void install_give_up(void)
{
    if (install.step != STEP_NONE) {
        install.step = STEP_NONE;
        writer_begin();
    }
}

bool install_is_busy(void)
{
    return install.step != STEP_NONE && install.error == LOAD_OK;
}

uint32_t install_position(void)
{
    return install.position;
}

/* -------- header */

/* Not inline: the header is on the stack only here. */
static __attribute__((noinline)) void begin_linking(void)
{
    const struct container_header header = install.header.header;
    struct blocks blocks;

    place_blocks(header.header_bytes, header.object_bytes, &install.row, &blocks);
    linker_begin(&install.linker, &header, &blocks);
}

/* Events of the programs that run, or will after a start of the mote, but for its own rows. */
static uint8_t events_of_others(void)
{
    struct directory_row row;
    uint8_t events = 0;

    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        if (directory_read(index, &row) == DIRECTORY_ACTIVE && (install.rows >> index & 1u) == 0) {
            uint16_t both = directory_read_program(&row, HEADER_EVENTS - 1u);
            events += (uint8_t)(both >> 8);
        }
    }
    return events;
}

/* Whether its events can run in place of an older version's. */
static enum load_error find_slots(const struct container_reader *reader)
{
    uint8_t events = reader->header.events;

    if (events != 0 && events > program_event_slots() - events_of_others()) {
        return LOAD_EVENTS;
    }
    return reader->event_stack > program_event_stack() ? LOAD_EVENT_STACK : LOAD_OK;
}

static enum load_error find_places(const struct container_header *header)
{
    uint8_t count;
    enum load_error error = place_sizes(header, &install.row);

    if (error != LOAD_OK) {
        return error;
    }
    install.index = table_free(&count);
    if (install.index == DIRECTORY_NONE) {
        return LOAD_DIRECTORY_FULL;
    }
    if (!region_flash(&install.row)) {
        return LOAD_FLASH_FULL;
    }
    if (!region_ram(&install.row, install.rows)) {
        return LOAD_RAM_FULL;
    }
    begin_linking();
    writer_place(&install.row);
    return LOAD_OK;
}

/* The header is complete: it lies in the page that is being filled. */
static enum load_error take_header(void)
{
    const struct container_header *header = &install.header.header;

    /* Nothing here rewrites or verifies a program: only what is signed is linked. */
    if ((header->flags & CONTAINER_TRUST) != CONTAINER_TRUSTED) {
        return LOAD_HEADER;
    }
    if ((header->flags & CONTAINER_HAS_MAC) == 0) {
        return LOAD_MAC;
    }
    table_end_name(install.name + header->name_bytes, install.row.instance);
    install.rows = table_rows(install.name);
    install.row.identity = directory_identity();
    install.row.flags = header->confirm_s != 0 ? DIRECTORY_ON_TRIAL : 0;
    enum load_error error = table_may_install(install.name, install.rows, header->version);

    if (error == LOAD_OK && partition_is_taken(&install.header.partition, install.rows)) {
        error = LOAD_PARTITION_TAKEN;
    }
    if (error == LOAD_OK) {
        error = find_slots(&install.header);
    }
    if (error == LOAD_OK) {
        error = find_places(header);
    }
    if (error == LOAD_OK) {
        install.step = linker_is_complete(&install.linker) ? STEP_CRC : STEP_PROGRAM;
    }
    return error;
}

static enum load_error take_header_byte(uint8_t byte)
{
    enum load_error error = container_feed(&install.header, byte);
    const uint8_t letter = install.header.read - 1u - sizeof(struct container_header);

    if (error == LOAD_OK && letter < install.header.header.name_bytes) {
        install.name[letter] = (char)byte;
    }
    /* An even number of bytes were read. */
    if (error == LOAD_OK && (install.header.read & 1u) == 0) {
        error = linker_put(install.low | (uint16_t)byte << 8);
    }
    install.low = byte;
    if (error == LOAD_OK && container_is_complete(&install.header)) {
        error = take_header();
    }
    return error;
}

/* -------- behind the header */

static enum load_error take_mac_byte(uint8_t byte)
{
    install.tag[install.tail++] = byte;
    if (install.tail < CONTAINER_MAC_BYTES) {
        return LOAD_OK;
    }
    install.step = STEP_END;
    return mac_check(&install.cmac, install.tag) ? LOAD_OK : LOAD_MAC;
}

static enum load_error take_byte(uint8_t byte)
{
    switch (install.step) {
    case STEP_HEADER:
        return take_header_byte(byte);
    case STEP_CRC:
        if (++install.tail == CONTAINER_CRC_BYTES) {
            install.tail = 0;
            install.step = STEP_MAC;
        }
        return LOAD_OK;
    case STEP_MAC:
        return take_mac_byte(byte);
    default:
        return LOAD_LENGTH;
    }
}

/* As much as one step takes. */
static enum load_error take(const uint8_t *bytes, uint16_t count, uint16_t *taken)
{
    const uint8_t step = install.step;
    const uint8_t *at = bytes;
    enum load_error error;

    if (step == STEP_PROGRAM) {
        error = linker_feed(&install.linker, bytes, count, taken);
        if (linker_is_complete(&install.linker)) {
            install.step = STEP_CRC;
        }
        return error;
    }
    do {
        error = take_byte(*at++);
    } while (error == LOAD_OK && install.step == step && at != bytes + count);
    *taken = (uint16_t)(at - bytes);
    return error;
}

/* Bytes that both checksums are of. That over itself, low byte first, is a constant. */
static enum load_error add(const uint8_t *bytes, uint16_t count)
{
    install.crc = crc32_add_all(install.crc, bytes, count);
    mac_add(&install.cmac, bytes, count);
    return install.step == STEP_MAC && install.crc != CRC32_RESIDUE ? LOAD_CRC : LOAD_OK;
}

enum load_error install_feed(const uint8_t *bytes, uint16_t count)
{
    enum load_error error = install.step == STEP_NONE ? LOAD_STATE : install.error;

    clock_request(&install_clock, CLOCK_FAST);
    while (count > 0 && error == LOAD_OK) {
        const uint8_t step = install.step;
        uint16_t taken;

        error = take(bytes, count, &taken);
        if (step <= STEP_CRC && error == LOAD_OK) {
            error = add(bytes, taken);
        }
        if (error != LOAD_OK) {
            install.error = error;
            writer_begin(); /* others may fill a page again */
            taken--;
        }
        install.position += taken;
        bytes += taken;
        count -= taken;
    }
    clock_release(&install_clock);
    return error;
}

static enum load_error finish(void)
{
    if (install.step != STEP_END) {
        return install.step == STEP_NONE ? LOAD_STATE : LOAD_LENGTH;
    }
    struct program program;
    enum load_error error = writer_end(&install.row);

    if (error == LOAD_OK) {
        place_program(install.index, &install.row, &program);
        error = program_check(&program);
    }
    if (error != LOAD_OK) {
        return error;
    }
    return table_install(install.index, &install.row, install.rows);
}

enum load_error install_end(uint8_t *index)
{
    enum load_error error = install.error;

    if (error == LOAD_OK) {
        clock_request(&install_clock, CLOCK_FAST);
        error = finish();
        clock_release(&install_clock);
    }
    *index = install.index;
    install_give_up();
    return error;
}

/* -------- an image without a key trusts nobody */

void mac_add_none(struct cmac *cmac, const uint8_t *bytes, uint16_t length)
{
    (void)cmac;
    (void)bytes;
    (void)length;
}

bool mac_check_none(struct cmac *cmac, const uint8_t *tag)
{
    (void)cmac;
    (void)tag;
    return false;
}

/* -------- an image without partitions */

bool partition_is_taken_none(const struct partition_reader *reader, uint8_t own)
{
    (void)reader;
    (void)own;
    return false;
}
