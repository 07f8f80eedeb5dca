/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Motes that take part in dissemination, some of which sleep. The first line says which one a mote
 * is:
 *
 *     s        it listens, and has no children
 *     p        the parent
 *     l 1      the parent's first leaf, or l 2
 */
#include "../passing.h"

enum { SOURCE = 1, PARENT = 2, LEAF = 0x10, LEAVES = 2, PERIOD_MS = 10000 };

DISSEMINATION_WITH(DISSEMINATION_STACK_PARENT, PRIORITY_APP, arrived);
DISSEMINATION_LEAF;
DISSEMINATION_PARENT;
LINK_NEIGHBOURS(4);
LINK_FRAMES(3, DISSEMINATION_FRAME);

static void open(uint16_t address, uint8_t flags)
{
    const struct link_settings settings = {
        .pan = LINK_PAN_USUAL, .short_address = address, .flags = flags};

    if (link_open(&settings) != 0) {
        print("not open\n");
    }
}

static void be_parent(void)
{
    open(PARENT, LINK_RECEIVES_IN_BACKOFF);
    for (uint8_t i = 1; i <= LEAVES; i++) {
        struct link_address leaf = link_short((uint16_t)(LEAF + i));
        if (link_child(&leaf, true) != 0) {
            print("no place for a child\n");
        }
    }
}

static void be_leaf(uint16_t number)
{
    struct link_address parent = link_short(PARENT);

    open((uint16_t)(LEAF + number), LINK_SLEEPS);
    if (link_poll(&parent, PERIOD_MS) != 0) {
        print("does not poll\n");
    }
}

static void begin(const char *line)
{
    const char *at = line + 1;

    if (line[0] == 'p') {
        be_parent();
    } else if (line[0] == 'l') {
        be_leaf(read_number(&at));
    } else {
        open(SOURCE, LINK_RECEIVES_IN_BACKOFF);
    }
}

THREAD(talk, ARCH_FLASH_IS_APART ? 400 : 640, PRIORITY_APP)
{
    static char line[LINE];

    tell_begin();
    console_read_line(line, sizeof(line));
    begin(line);
    take_part();
}
