/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The linker on a mote: what it makes of a container by hand. test/fuzz/linker has the rest. */
#include <string.h>

#include <lichen/link.h>
#include <lichen/mutex.h>
#include <lichen/print.h>
#include <lichen/shell.h>
#include <lichen/syslog.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "base/crc32.h"
#include "container_of_chip.h"
#include "cost_of_chip.h"
#include "kernel/program/walk.h"
#include "load/calls.h"
#include "load/header.h"
#include "load/linker_state.h"
#include "test.h"

#define LINE_MS 20u /* in which a test's output is sent */
#define GROUP   1u
#define PIECE   5

/* The header's checks know the sizes of rows. */
_Static_assert(sizeof(struct thread_info) == MACHINE_THREAD_ROW &&
                   sizeof(struct link_taker) == MACHINE_RECEIVER_ROW &&
                   sizeof(struct program_module) == MACHINE_MODULE_ROW &&
                   sizeof(struct shell_command) == MACHINE_COMMAND_ROW &&
                   sizeof(void (*)(void)) == MACHINE_START_ROW &&
                   sizeof(struct mutex) == MACHINE_MUTEX_ROW,
               "os/load/*/fields.h has another size of a row");

static struct container_reader header;
static bool declared; /* the group */
static struct linker linker;
static uint8_t bytes[sizeof(container)];
static uint16_t got[sizeof(linked) / sizeof(linked[0])];
static uint16_t count; /* of halfwords */
static const struct blocks blocks = {CODE_AT, OBJECTS_AT, DATA_AT};

bool calls_group(uint8_t group, uint16_t fingerprint)
{
    bool is_there = group == GROUP && fingerprint == 0x1234;
    declared |= is_there;
    return is_there;
}

uintptr_t linker_call(uint8_t id)
{
    return declared && id >> 4 == GROUP ? (uintptr_t)(CALL_AT + CALL_BYTES * id) : 0;
}

enum load_error linker_put(uint16_t halfword)
{
    if (count < sizeof(got) / sizeof(got[0])) {
        got[count] = halfword;
    }
    count++;
    return LOAD_OK;
}

static enum load_error feed(const uint8_t *from, uint16_t length)
{
    uint16_t taken;
    enum load_error error = linker_feed(&linker, from, length, &taken);

    expect(error != LOAD_OK || taken == length);
    return error;
}

/* Links what is in `bytes`, in pieces. */
static enum load_error link_bytes(uint8_t length)
{
    enum load_error error = LOAD_OK;
    uint8_t at = 0;

    count = 0;
    declared = false;
    container_begin(&header);
    while (error == LOAD_OK && at < length && !container_is_complete(&header)) {
        error = container_feed(&header, bytes[at++]);
    }
    linker_begin(&linker, &header.header, &blocks);
    while (error == LOAD_OK && at < length) {
        uint8_t piece = length - at < PIECE ? length - at : PIECE;

        error = feed(bytes + at, piece);
        at += piece;
    }
    return error != LOAD_OK ? error : linker_end(&linker);
}

static enum load_error link_container(uint8_t length)
{
    memcpy(bytes, container, sizeof(bytes));
    return link_bytes(length);
}

TEST(a_container_is_linked)
{
    expect_equal(link_container(sizeof(bytes)), LOAD_OK);
    expect_equal(count, sizeof(linked) / sizeof(linked[0]));
    expect(memcmp(got, linked, sizeof(linked)) == 0);
}

TEST(a_container_that_is_cut_short_is_refused)
{
    for (uint8_t length = 40; length < sizeof(bytes); length++) {
        expect_equal(link_container(length), LOAD_LENGTH);
    }
}

TEST(what_is_not_the_instruction_is_refused)
{
    memcpy(bytes, container, sizeof(bytes));
    bytes[BROKEN_AT] = BROKEN_BYTE;
    expect_equal(link_bytes(sizeof(bytes)), LOAD_FIELD);
}

TEST(a_group_in_another_form_is_refused)
{
    memcpy(bytes, container, sizeof(bytes));
    bytes[34]++;
    expect_equal(link_bytes(sizeof(bytes)), LOAD_GROUP);
}

TEST(a_call_that_is_not_declared_is_refused)
{
    memcpy(bytes, container, sizeof(bytes));
    memset(bytes + 31, 0, 5);
    expect_equal(link_bytes(sizeof(bytes)), LOAD_CALL);
}

/* -------- cycles */

static uint32_t link_measured(void)
{
    static const struct container_header lengths = {
        .constants_bytes = MEASURED_CONSTANTS,
        .code_bytes = MEASURED_CODE * MEASURED_TIMES,
        .data_bytes = 512,
    };
    static const uint8_t zeros[2], many[] = {
                                       0x1f,
                                       0x80 | (MEASURED_CONSTANTS / 2 - 31) % 128,
                                       (MEASURED_CONSTANTS / 2 - 31) / 128,
                                   };
    uint32_t cycles = 0;

    linker_begin(&linker, &lengths, &blocks);
    (void)!feed(many, sizeof(many));
    for (uint16_t at = 0; at < MEASURED_CONSTANTS; at += 2) {
        (void)!feed(zeros, sizeof(zeros));
    }
    for (uint8_t times = 0; times < MEASURED_TIMES; times++) {
        cycles_t begun = cycles_now();
        enum load_error error = feed(measured, sizeof(measured));
        cycles += (cycles_t)(cycles_now() - begun);
        if (error != LOAD_OK) {
            return 0;
        }
    }
    return linker_is_complete(&linker) ? cycles : 0;
}

static uint16_t crc_measured(void)
{
    volatile uint32_t crc;
    cycles_t begun = cycles_now();
    crc = crc32_add_all(CRC32_BEGIN, (const uint8_t *)got, 100);
    (void)crc;
    return (uint16_t)(cycles_now() - begun);
}

TEST(linking_is_fast)
{
    declared = true;
    sleep_ms(LINE_MS);
    uint32_t cycles = link_measured();
    uint16_t crc = crc_measured();
    print("%lu cycles for %u bytes of code, %u for the CRC of 100; %u bytes of RAM\n",
          (unsigned long)cycles, MEASURED_CODE * MEASURED_TIMES, crc, (unsigned)sizeof(linker));
    expect(cycles != 0 && cycles < LINK_CYCLES);
    expect_equal(sizeof(linker), LINKER_BYTES);
}
