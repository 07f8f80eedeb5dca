// SPDX-License-Identifier: MIT OR Apache-2.0
/* Speaks through Real Time Transfer buffers, and sends back what it is told through them. */
#include "start.h"

struct ring {
    const char *name;
    volatile char *volatile buffer;
    volatile uint32_t size;
    volatile uint32_t write;
    volatile uint32_t read;
    uint32_t flags;
};

struct {
    volatile char id[16];
    volatile int32_t up_count;
    volatile int32_t down_count;
    struct ring up;
    struct ring down;
} _SEGGER_RTT;

static volatile char up[16];
static volatile char down[8];

void hard_fault_handler(void)
{
}
void systick_handler(void)
{
}
void sercom0_handler(void)
{
}

static void put(char c)
{
    uint32_t next = (_SEGGER_RTT.up.write + 1) % sizeof(up);
    while (next == _SEGGER_RTT.up.read)
        ;
    up[_SEGGER_RTT.up.write] = c;
    _SEGGER_RTT.up.write = next;
}

static void open(struct ring *ring, volatile char *buffer, uint32_t size)
{
    ring->buffer = buffer;
    ring->size = size;
    ring->write = 0;
    ring->read = 0;
}

void reset_handler(void)
{
    static const char name[] = "SEGGER RTT";
    _SEGGER_RTT.up_count = 1;
    _SEGGER_RTT.down_count = 1;
    open(&_SEGGER_RTT.up, up, sizeof(up));
    open(&_SEGGER_RTT.down, down, sizeof(down));
    const char *id = name;
    __asm__ volatile("" : "+r"(id)); /* keeps the text in one piece */
    for (unsigned i = 0; i < sizeof(name); i++)
        _SEGGER_RTT.id[i] = id[i];
    for (const char *text = "longer than its buffer\n"; *text; text++)
        put(*text);
    for (;;) {
        struct ring *in = &_SEGGER_RTT.down;
        if (in->read == in->write)
            continue;
        put(down[in->read]);
        in->read = (in->read + 1) % sizeof(down);
    }
}
