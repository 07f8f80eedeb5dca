/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A mote that takes part in dissemination, and what its console says and obeys. Lines:
 *
 *     f NUMBER LENGTH    an object comes from here
 *     r                  refuses the next object that arrives
 *     n MOST             whether the mote has sent so many frames at most
 *
 * What it prints:
 *
 *     fed NUMBER ERROR
 *     whole NUMBER LENGTH   an object has arrived, and its bytes are right
 *     wrong NUMBER          they are not
 *     has NUMBER BYTES      at its start
 *     NUMBER frames, at most MOST     or more
 */
#ifndef PASSING_H
#define PASSING_H

#include <lichen/console.h>
#include <lichen/dissemination.h>
#include <lichen/print.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "object.h"

enum { LINE = 16, LOOK_MS = 20, PIECE = 50 };

SEMAPHORE(to_check, 0);
EVENT(arrived)
{
    semaphore_post(&to_check);
}

static uint8_t bytes[PIECE];
static bool refuses;

static uint16_t read_number(const char **at)
{
    uint16_t number = 0;

    while (**at == ' ') {
        (*at)++;
    }
    for (; **at >= '0' && **at <= '9'; (*at)++) {
        number = (uint16_t)(number * 10u + (uint16_t)(**at - '0'));
    }
    return number;
}

static void feed(uint16_t number, uint16_t length)
{
    int error = dissemination_begin(number, length);

    for (uint16_t at = 0; at < length && error == 0; at += PIECE) {
        uint16_t count = length - at < PIECE ? (uint16_t)(length - at) : (uint16_t)PIECE;
        for (uint16_t i = 0; i < count; i++) {
            bytes[i] = object_byte(number, (uint16_t)(at + i));
        }
        error = dissemination_feed(bytes, count);
    }
    if (error == 0) {
        error = dissemination_end();
    }
    print("fed %u %d\n", number, error);
}

static bool is_right(const struct dissemination_object *object)
{
    for (uint16_t at = 0; at < object->length; at += PIECE) {
        uint16_t left = (uint16_t)(object->length - at);
        uint16_t count = left < PIECE ? left : (uint16_t)PIECE;
        if (dissemination_read(object, at, bytes, count) != 0) {
            return false;
        }
        for (uint16_t i = 0; i < count; i++) {
            if (bytes[i] != object_byte(object->number, (uint16_t)(at + i))) {
                return false;
            }
        }
    }
    return true;
}

static void check(void)
{
    struct dissemination_object object;

    if (dissemination_look(&object) != 0 || !object.complete) {
        return;
    }
    if (refuses) {
        refuses = false;
        dissemination_refuse(&object);
        print("refused %u\n", object.number);
    } else if (is_right(&object)) {
        print("whole %u %u\n", object.number, object.length);
    } else {
        print("wrong %u\n", object.number);
    }
}

static void count(uint16_t most)
{
    struct link_counters counters;

    link_count(&counters);
    print("%u frames, %s %u\n", counters.sent, counters.sent <= most ? "at most" : "more than",
          most);
}

static void obey(const char *line)
{
    const char *at = line + 1;

    if (line[0] == 'f') {
        uint16_t number = read_number(&at);
        feed(number, read_number(&at));
    } else if (line[0] == 'r') {
        refuses = true;
    } else if (line[0] == 'n') {
        count(read_number(&at));
    }
}

static void listen(void)
{
    static char line[LINE];
    static uint8_t length;
    uint8_t byte;

    if (console_read_until(&byte, time_now_us() + LOOK_MS * TIME_US_PER_MS) != 0) {
        return;
    }
    if (byte == '\n') {
        line[length] = 0;
        length = 0;
        obey(line);
    } else if (length < LINE - 1) {
        line[length++] = (char)byte;
    }
}

static void tell_begin(void)
{
    struct dissemination_object object;

    if (dissemination_look(&object) == 0) {
        print("has %u %u\n", object.number, object.have);
    }
}

static void take_part(void)
{
    for (;;) {
        listen();
        if (semaphore_try(&to_check) == 0) {
            check();
        }
    }
}

#endif
