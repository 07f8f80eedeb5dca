/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "container.h"

#include <string.h>

#include <lichen/assert.h>
#include <lichen/event.h>
#include <lichen/thread.h>

#include "base/crc32.h"
#include "crypto/cmac.h"
#include "load/calls.h"
#include "load/container.h"

/* Lengths of its blocks: the row of its thread and the name, the thread, its stack, a counter. */
enum {
    NAME_BYTES = 4,
    CONSTANTS = sizeof(struct thread_info) + NAME_BYTES,
    OBJECTS = sizeof(struct thread),
    STACK = THREAD_STACK_ROUND(THREAD_STACK_MIN + 64),
    DATA = 4,
    CODE_MAX = 64,
};

/* Kinds of tokens: doc/spec/container.md. */
enum {
    ARM_CALL = 1,
    ARM_WORD = 2,
    AVR_WORD = 3,
    AVR_FUNCTION_WORD = 6,
    CONFIRM = 0x00, /* calls */
    SLEEP_TICKS = 0x12,
    NO_CALL = 0xfe,
    AVR_LINE = 0x100, /* where it begins in `lds` and `sts` */
};

uint8_t container[CONTAINER_ROOM];
uint16_t container_bytes;

/* Literals that no token has yet. */
static uint16_t literals[30];
static uint8_t literal_count;

static void put(uint8_t byte)
{
    assert(container_bytes < CONTAINER_ROOM);
    container[container_bytes++] = byte;
}

static void put_halfword(uint16_t halfword)
{
    put((uint8_t)halfword);
    put((uint8_t)(halfword >> 8));
}

static void literal(uint16_t halfword)
{
    literals[literal_count++] = halfword;
}

/* A token of a kind, and the literals before its field. */
static void token(uint8_t kind)
{
    put((uint8_t)(kind << 5 | literal_count));
    for (uint8_t i = 0; i < literal_count; i++) {
        put_halfword(literals[i]);
    }
    literal_count = 0;
}

static void call_armv6m(uint8_t id)
{
    token(ARM_CALL);
    put_halfword(0xf000 | id); /* bl */
    put_halfword(0xf800);
}

static void call_avr8(uint8_t id)
{
    literal(0x940e); /* call */
    literal(id);
}

/* A word with an address on the line of addresses. */
static void word(uint8_t kind, uint16_t line)
{
    token(kind);
    put_halfword(line);
    if (!ARCH_FLASH_IS_APART) {
        put_halfword(0);
    }
}

/* -------- the program */

/* Addresses of an instance of the blocks. */
static uint16_t objects_at(uint16_t code)
{
    return (uint16_t)(CONSTANTS + code + 1);
}

static uint16_t data_at(uint16_t code)
{
    return (uint16_t)(objects_at(code) + OBJECTS + STACK + 1);
}

static void constants(uint16_t code)
{
    uint8_t kind = ARCH_FLASH_IS_APART ? AVR_WORD : ARM_WORD;

    word(kind, objects_at(code));
    word(ARCH_FLASH_IS_APART ? AVR_FUNCTION_WORD : ARM_WORD,
         (uint16_t)(CONSTANTS + !ARCH_FLASH_IS_APART));
    word(kind, (uint16_t)(objects_at(code) + OBJECTS));
    word(kind, sizeof(struct thread_info));
    literal(STACK);
    literal(PRIORITY_APP);
    literal('c' | 'n' << 8);
    literal('t');
}

/* for (;;) { counter += step; sleep for 8 or 10 ms; } */
static uint16_t code_armv6m(const struct counting *counting, uint16_t code)
{
    uint8_t before = counting->confirms || counting->bad_call ? 2 : 0; /* halfwords */
    uint16_t bytes = (uint16_t)(before * 2 + 20 + 4);

    if (before != 0) {
        call_armv6m(counting->bad_call ? NO_CALL : CONFIRM);
    }
    literal(0x4904);                              /* ldr  r1, [pc, #16] */
    literal(0x6808);                              /* ldr  r0, [r1] */
    literal((uint16_t)(0x3000 | counting->step)); /* adds r0, #step */
    literal(0x6008);                              /* str  r0, [r1] */
    literal(0x20ff);                              /* movs r0, #255 */
    literal(0x2100);                              /* movs r1, #0 */
    call_armv6m(SLEEP_TICKS);
    literal(0xe7f6); /* b    to the ldr */
    literal(0x46c0); /* nop */
    word(ARM_WORD, data_at(code));
    return bytes;
}

static uint16_t code_avr8(const struct counting *counting, uint16_t code)
{
    uint8_t before = counting->confirms || counting->bad_call ? 2 : 0;
    uint16_t bytes = (uint16_t)(before * 2 + 32);

    if (before != 0) {
        call_avr8(counting->bad_call ? NO_CALL : CONFIRM);
    }
    literal(0x9180); /* lds r24, counter */
    literal(data_at(code) + AVR_LINE);
    uint8_t less = (uint8_t)-counting->step;
    literal((uint16_t)(0x5080 | (less & 0xf0) << 4 | (less & 0x0f))); /* subi r24, -step */
    literal(0x9380);                                                  /* sts counter, r24 */
    literal(data_at(code) + AVR_LINE);
    literal(0xe02a); /* ldi r18, 10 */
    for (uint16_t r = 3; r < 10; r++) {
        literal((uint16_t)(0xe000 | r << 4)); /* ldi r19 to r25, 0 */
    }
    call_avr8(SLEEP_TICKS);
    literal(0xcff0); /* rjmp to the lds */
    return bytes;
}

static uint16_t code(const struct counting *counting, uint16_t bytes)
{
    return ARCH_FLASH_IS_APART ? code_avr8(counting, bytes) : code_armv6m(counting, bytes);
}

/* -------- around it */

static void put_groups(void)
{
    extern const ARCH_FLASH struct calls calls_begin[], calls_end[];
    uint8_t groups = 0;

    for (const ARCH_FLASH struct calls *calls = calls_begin; calls != calls_end; calls++) {
        groups++;
    }
    put(CONTAINER_RECORD_GROUP);
    put((uint8_t)(3 * groups));
    for (const ARCH_FLASH struct calls *calls = calls_begin; calls != calls_end; calls++) {
        put(calls->group);
        put_halfword(calls->fingerprint);
    }
}

static uint8_t put_records(const struct counting *counting)
{
    if (!counting->hides) {
        put_groups();
    }
    if (counting->event_stack != 0) {
        put(CONTAINER_RECORD_EVENT_STACK);
        put(sizeof(uint16_t));
        put_halfword(counting->event_stack);
    }
    while (container_bytes % 4 != 0) {
        put(CONTAINER_RECORD_END);
    }
    return (uint8_t)container_bytes;
}

static void put_header(const struct counting *counting, uint16_t code_bytes)
{
    struct container_header header = {
        .magic = CONTAINER_MAGIC,
        .format = CONTAINER_FORMAT,
        .machine = ARCH_FLASH_IS_APART ? CONTAINER_AVR8 : CONTAINER_ARMV6M,
        .flags = CONTAINER_TRUSTED | CONTAINER_HAS_MAC,
        .version = counting->version,
        .confirm_s = counting->confirm_s,
        .constants_bytes = (uint16_t)(CONSTANTS + counting->events * sizeof(struct event_row)),
        .code_bytes = code_bytes,
        .object_bytes = OBJECTS,
        .stack_bytes = STACK,
        .data_bytes = DATA,
        .threads = 1,
        .name_bytes = 3,
        .events = counting->events,
    };

    container_bytes = sizeof(header);
    put('c');
    put('n');
    put('t');
    header.header_bytes = put_records(counting);
    memcpy(container, &header, sizeof(header));
}

static void put_ends(void)
{
    const union cipher_block key = {
        .bytes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
    struct cmac cmac = {0};
    uint32_t crc = CRC32_BEGIN;

    for (uint16_t i = 0; i < container_bytes; i++) {
        crc = crc32_add(crc, container[i]);
    }
    crc = crc32_end(crc);
    put_halfword((uint16_t)crc);
    put_halfword((uint16_t)(crc >> 16));
    cmac_add(&cmac, &key, container, container_bytes);
    /* What it compares with is left in it. */
    (void)cmac_check(&cmac, &key, key.bytes);
    memcpy(container + container_bytes, cmac.mac.bytes, CONTAINER_MAC_BYTES);
    container_bytes += CONTAINER_MAC_BYTES;
}

void container_make(const struct counting *counting)
{
    literal_count = 0;
    container_bytes = 0;
    const uint16_t code_bytes = code(counting, 0);

    literal_count = 0;
    put_header(counting, code_bytes);
    constants(code_bytes);
    code(counting, code_bytes);
    if (literal_count != 0) {
        token(0);
    }
    put_ends();
}
