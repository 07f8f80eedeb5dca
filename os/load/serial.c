/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The mote's end of doc/spec/loading.md: requests that come in frames, one at a time, and answers.
 *
 * An answer is made in the buffer of its request. What remains of a request that changed something
 * is `last`: enough to recognize a repetition, and to answer it again.
 */
#include <lichen/loader_air.h>
#include <lichen/loader_serial.h>
#include <lichen/time.h>

#include "driver/console/framed.h"
#include "load/arena.h"
#include "chip/code.h"
#include "load/container.h"
#include "load/crc.h"
#include "load/error.h"
#include "load/frame.h"
#include "load/groups.h"
#include "load/thread.h"
#include "load/turn.h"

enum request {
    REQUEST_HELLO = 1,
    REQUEST_GROUPS,
    REQUEST_BEGIN,
    REQUEST_DATA,
    REQUEST_END,
    REQUEST_LIST,
    REQUEST_START,
    REQUEST_STOP,
    REQUEST_REMOVE,
    REQUEST_FLOOR,
    REQUEST_TO_ALL,
    REQUEST_ANSWER = 0x80,
};

enum {
    PROTOCOL = 1,
    GROUP_BYTES = 3,
    GROUPS_AT_ONCE = (FRAME_ANSWER_MAX - 1) / GROUP_BYTES,
};

/* Offsets in a frame. */
enum {
    AT_TYPE,
    AT_SEQUENCE,
    AT_PAYLOAD,
    AT_STATUS = AT_PAYLOAD, /* of an answer */
    AT_ANSWER,
    AT_DATA = AT_PAYLOAD + 4, /* behind its offset */
};

static struct {
    uint8_t type; /* 0: none */
    uint8_t sequence;
    uint8_t status;
    uint32_t place;
} last;

/* In images that pass containers on. */
#pragma weak loader_air_begin
#pragma weak loader_air_feed
#pragma weak loader_air_end
#pragma weak loader_air_give_up

/* Whether a container arrives in this session, and for whom. */
static enum { ARRIVES_NOTHING, ARRIVES_HERE, ARRIVES_FOR_ALL } arriving;
static uint32_t next_offset; /* of its bytes */

/* ---------------------------------------------------------------- frames */
static uint16_t short_at(const uint8_t *byte)
{
    return (uint16_t)(byte[0] | byte[1] << 8);
}

static uint32_t long_at(const uint8_t *byte)
{
    return short_at(byte) | (uint32_t)short_at(byte + 2) << 16;
}

static void add_byte(struct frame *frame, uint8_t byte)
{
    frame->byte[frame->length++] = byte;
}

static void add_short(struct frame *frame, uint16_t number)
{
    add_byte(frame, (uint8_t)number);
    add_byte(frame, (uint8_t)(number >> 8));
}

static void add_long(struct frame *frame, uint32_t number)
{
    add_short(frame, (uint16_t)number);
    add_short(frame, (uint16_t)(number >> 16));
}

static uint16_t sum_of(const struct frame *frame)
{
    uint16_t sum = CRC16_BEGIN;

    for (uint8_t i = 0; i < frame->length; i++) {
        sum = crc16_add(sum, frame->byte[i]);
    }
    return sum;
}

/* Removes the sum of a frame that has come; false if it is wrong. */
static bool is_intact(struct frame *frame)
{
    uint16_t sum;

    if (frame->length < FRAME_HEAD + FRAME_SUM) {
        return false;
    }
    frame->length -= FRAME_SUM;
    sum = sum_of(frame);
    return frame->byte[frame->length] == (uint8_t)sum &&
           frame->byte[frame->length + 1] == (uint8_t)(sum >> 8);
}

static bool must_stuff(uint8_t byte)
{
    switch (byte) {
    case FRAME_BEGIN:
    case FRAME_END:
    case '\n':
    case '\r':
    case FRAME_STUFF:
    case 0x11:
    case 0x13:
        return true;
    default:
        return false;
    }
}

/* The host sends the next one as soon as it has this one. Not inline: the line is not on the stack
 * while a program is installed. */
static __attribute__((noinline)) void release_and_send(struct frame *frame)
{
    uint8_t line[2 + 2 * (FRAME_HEAD + FRAME_ANSWER_MAX + FRAME_SUM)];
    uint8_t length = 0;

    add_short(frame, sum_of(frame));
    line[length++] = FRAME_BEGIN;
    for (uint8_t i = 0; i < frame->length; i++) {
        uint8_t byte = frame->byte[i];

        if (must_stuff(byte)) {
            line[length++] = FRAME_STUFF;
            byte ^= FRAME_STUFFED;
        }
        line[length++] = byte;
    }
    line[length++] = FRAME_END;
    load_frame_release();
    console_send_whole(line, length);
}

/* ---------------------------------------------------------------- questions */
static void add_name(struct frame *frame, const ARCH_FLASH char *name)
{
    while (*name != '\0') {
        add_byte(frame, (uint8_t)*name++);
    }
}

static void say_hello(struct frame *frame)
{
    struct loader_room room;
    struct load_group group;
    uint16_t identity = CRC16_BEGIN;
    uint8_t groups = 0;

    last.type = 0;
    loader_look_room(&room);
    while (load_group(groups, &group)) {
        identity = crc16_add(identity, group.number);
        identity = crc16_add(identity, (uint8_t)group.fingerprint);
        identity = crc16_add(identity, (uint8_t)(group.fingerprint >> 8));
        groups++;
    }
    add_byte(frame, PROTOCOL);
    add_byte(frame, ARCH_FLASH_IS_APART ? CONTAINER_AVR8 : CONTAINER_ARMV6M);
    add_long(frame, room.flash_hole);
    add_short(frame, room.ram_hole);
    add_byte(frame, groups);
    add_short(frame, identity);
    add_long(frame, code_programs_begin());
    add_short(frame, (uint16_t)((uintptr_t)arena_begin - (uintptr_t)ram_begin));
    add_name(frame, (const ARCH_FLASH char *)(uintptr_t)load_image_name);
}

static void say_groups(struct frame *frame, uint8_t first)
{
    struct load_group group;

    for (uint8_t i = 0; i < GROUPS_AT_ONCE && load_group(first + i, &group); i++) {
        add_byte(frame, group.number);
        add_short(frame, group.fingerprint);
    }
}

static uint8_t say_program(struct frame *frame, uint8_t index)
{
    struct loader_program program;

    if (index >= LOADER_PROGRAMS) {
        return LOAD_NONE;
    }
    loader_look(index, &program);
    add_byte(frame, program.state);
    add_byte(frame, (uint8_t)(program.is_on_trial | program.is_old << 1 | program.runs << 2 |
                              program.failed << 4));
    add_byte(frame, program.failures);
    add_byte(frame, program.threads);
    add_short(frame, program.version);
    add_short(frame, program.flash_bytes);
    add_short(frame, program.low_bytes);
    add_short(frame, program.data_bytes);
    for (uint8_t i = 0; program.name[i] != '\0'; i++) {
        add_byte(frame, (uint8_t)program.name[i]);
    }
    return LOAD_OK;
}

/* ---------------------------------------------------------------- changes */
static void give_up(void)
{
    if (arriving == ARRIVES_FOR_ALL) {
        loader_air_give_up();
    } else if (arriving == ARRIVES_HERE) {
        loader_give_up();
    }
    arriving = ARRIVES_NOTHING;
}

static uint8_t begin(uint8_t instance)
{
    give_up();
    arriving = ARRIVES_HERE;
    next_offset = 0;
    return (uint8_t)loader_begin(instance);
}

static uint8_t begin_for_all(uint16_t length)
{
    give_up();
    if (&loader_air_begin == 0) {
        return LOAD_ALONE;
    }
    arriving = ARRIVES_FOR_ALL;
    next_offset = 0;
    return (uint8_t)loader_air_begin(length);
}

/* `count` is that of the payload. */
static uint8_t take_data(const struct frame *frame, uint8_t count)
{
    const uint8_t *bytes = &frame->byte[AT_DATA];

    if (arriving == ARRIVES_NOTHING) {
        return LOAD_STATE;
    }
    if (count <= AT_DATA - AT_PAYLOAD || long_at(&frame->byte[AT_PAYLOAD]) != next_offset) {
        return LOAD_LENGTH;
    }
    count -= AT_DATA - AT_PAYLOAD;
    next_offset += count;
    return (uint8_t)(arriving == ARRIVES_FOR_ALL ? loader_air_feed(bytes, count)
                                                 : loader_feed(bytes, count));
}

static uint8_t end(void)
{
    if (arriving == ARRIVES_NOTHING) {
        return LOAD_STATE;
    }
    uint8_t status = (uint8_t)(arriving == ARRIVES_FOR_ALL ? loader_air_end() : loader_end());

    if (status == LOAD_OK) {
        arriving = ARRIVES_NOTHING;
    }
    return status;
}

static uint8_t change_named(uint8_t type, const char *name)
{
    switch (type) {
    case REQUEST_START:
        return (uint8_t)loader_start(name);
    case REQUEST_STOP:
        return (uint8_t)loader_stop(name);
    case REQUEST_REMOVE:
        return (uint8_t)loader_remove(name);
    default:
        return (uint8_t)loader_set_floor(name);
    }
}

/* Does what a request wants that changes something. The name is in the frame, where its sum was is
 * room for the zero byte. */
static void change(struct frame *frame, uint8_t count)
{
    uint8_t type = frame->byte[AT_TYPE];

    last.type = type;
    last.sequence = frame->byte[AT_SEQUENCE];
    if (type == REQUEST_BEGIN) {
        last.status = count == 0 ? LOAD_LENGTH : begin(frame->byte[AT_PAYLOAD]);
    } else if (type == REQUEST_TO_ALL) {
        last.status = count != 2 ? LOAD_LENGTH : begin_for_all(short_at(&frame->byte[AT_PAYLOAD]));
    } else if (type == REQUEST_DATA) {
        last.status = take_data(frame, count);
    } else if (type == REQUEST_END) {
        last.status = end();
    } else {
        frame->byte[AT_PAYLOAD + count] = '\0';
        last.status = change_named(type, (const char *)&frame->byte[AT_PAYLOAD]);
    }
    last.place = loader_position();
    if (last.status != LOAD_OK) {
        give_up();
    }
}

/* ---------------------------------------------------------------- requests */
static bool is_question(uint8_t type)
{
    return type == REQUEST_HELLO || type == REQUEST_GROUPS || type == REQUEST_LIST;
}

/* Not inline, as above: only changes are deep. */
static __attribute__((noinline)) uint8_t answer(struct frame *frame, uint8_t index)
{
    switch (frame->byte[AT_TYPE]) {
    case REQUEST_HELLO:
        say_hello(frame);
        return LOAD_OK;
    case REQUEST_GROUPS:
        say_groups(frame, index);
        return LOAD_OK;
    default:
        return say_program(frame, index);
    }
}

static void serve(struct frame *frame)
{
    uint8_t type = frame->byte[AT_TYPE];
    uint8_t count = (uint8_t)(frame->length - FRAME_HEAD);
    uint8_t index = count > 0 ? frame->byte[AT_PAYLOAD] : 0;
    uint32_t place = 0;
    uint8_t status;

    if (is_question(type)) {
        frame->length = AT_ANSWER;
        status = answer(frame, index);
    } else {
        if (type != last.type || frame->byte[AT_SEQUENCE] != last.sequence) {
            change(frame, count);
        }
        status = last.status;
        place = last.place;
        frame->length = AT_ANSWER;
    }
    frame->byte[AT_STATUS] = status;
    if (status != LOAD_OK) {
        frame->length = AT_ANSWER;
        add_long(frame, place);
    }
    frame->byte[AT_TYPE] |= REQUEST_ANSWER;
    release_and_send(frame);
}

/* ---------------------------------------------------------------- a line that is heard
 *
 * While a thread writes a log into the flash of the SAM R21, what comes over the line is lost. So
 * from the first byte of a frame on, of which two are kept even then, storage is the loader's: what
 * is lost comes again, and what follows an answer comes soon. Threads have their turn where the
 * host waits for an answer. */
enum {
    IS_HELD = !ARCH_FLASH_IS_APART, /* on AVR storage is in another part */
    AGAIN_MS = 350,                 /* the host waits for 300 */
    NEXT_MS = 50,
};

/* TIME_NEVER: it is not held. */
static uint64_t held_until = TIME_NEVER;

static void release(void)
{
    turn_begin();
    code_release();
    (void)turn_end(LOAD_OK);
    held_until = TIME_NEVER;
}

static void hold(uint16_t time_ms)
{
    turn_begin();
    code_hold();
    (void)turn_end(LOAD_OK);
    held_until = time_now_us() + time_ms * TIME_US_PER_MS;
}

static void hold_or_release(void)
{
    bool has_begun = load_frame_begun();

    if (held_until != TIME_NEVER && time_now_us() >= held_until) {
        release();
    }
    if (has_begun && held_until == TIME_NEVER) {
        hold(AGAIN_MS);
    }
}

static void let_others(void)
{
    release();
    hold(NEXT_MS);
}

uint64_t load_serial_serve(void)
{
    struct frame *frame;

    console_listen();
    if (IS_HELD) {
        hold_or_release();
    }
    while ((frame = load_frame_arrived()) != 0) {
        if (is_intact(frame) && frame->byte[AT_TYPE] >= REQUEST_HELLO &&
            frame->byte[AT_TYPE] <= REQUEST_TO_ALL) {
            if (IS_HELD) {
                let_others();
            }
            serve(frame);
        } else {
            load_frame_release();
        }
    }
    return IS_HELD ? held_until : TIME_NEVER;
}

/* -------- an image without storage in the flash of programs */

void load_hold_nothing(void)
{
}
