/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "pairs.h"

#include <string.h>

#include <lichen/woven.h>

#include "software_interrupt.h"

char order[48];
const char *inside_ab;
bool inside_by_interrupt;

static const char *posts[LEVEL_KERNEL];

static void say(const char *text)
{
    if (strlen(order) + strlen(text) < sizeof(order)) {
        strcat(order, text);
    }
}

bool ran(const char *expected)
{
    return strcmp(order, expected) == 0;
}

EVENT(a)
{
    say("a");
}
EVENT(b)
{
    say("b");
}
EVENT(c)
{
    say("c");
}
EVENT(d)
{
    say("d");
}
EVENT(x)
{
    say("x");
}
EVENT(plain)
{
    say("p");
}

static struct event *event_of(char letter)
{
    switch (letter) {
    case 'a':
        return &a;
    case 'b':
        return &b;
    case 'c':
        return &c;
    case 'd':
        return &d;
    case 'x':
        return &x;
    default:
        return &plain;
    }
}

static void post_here(const char *letters)
{
    for (; *letters != 0; letters++) {
        event_post(event_of(*letters));
    }
}

/* Declared before its own half is woven: the order of declarations does not matter. */
WOVEN_EXTERN(abc);
WOVEN(abcd, abc, d)
{
    say("(abcd)");
}

WOVEN(ab, a, b)
{
    say("(ab");
    if (inside_ab != 0) {
        const char *letters = inside_ab;
        inside_ab = 0;
        if (inside_by_interrupt) {
            posts[INSIDE_LEVEL] = letters;
            software_interrupts(1u << INSIDE_LEVEL);
        } else {
            post_here(letters);
        }
    }
    say(")");
}

WOVEN(abc, ab, c)
{
    say("(abc)");
}

WOVEN(bx, b, x)
{
    say("(bx)");
}

static inline __attribute__((always_inline)) void post_all(unsigned level)
{
    for (const char *letter = posts[level]; *letter != 0; letter++) {
        event_post_from(event_of(*letter), level);
    }
}
SOFTWARE_INTERRUPTS(post_all)

static const char *from_event;
EVENT(posts_letters)
{
    post_here(from_event);
}

void post_in_event(const char *letters)
{
    from_event = letters;
    event_post(&posts_letters);
}

void posts_of(unsigned level, const char *letters)
{
    posts[level] = letters;
}

void prepare(void)
{
    memset(order, 0, sizeof(order));
    inside_ab = 0;
    inside_by_interrupt = false;
    for (unsigned level = 0; level < LEVEL_KERNEL; level++) {
        posts[level] = "";
    }
    software_interrupts_enable();
}
