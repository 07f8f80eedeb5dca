/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Edges of pins: the external interrupts INT0 to INT3, which are PD0 to PD3, and INT4 to INT7,
 * which are PE4 to PE7 (ATmega128 data sheet, External Interrupts).
 *
 * INT0 to INT3 find a falling or a rising edge without a clock, but not both: then the one that
 * comes next is sensed.
 *
 * INT4 to INT7 find edges by the I/O clock, which only idle mode leaves running, and without it
 * nothing but a low level. So while such a pin is high, a low level is sensed, which ends every
 * sleep mode; while it is low, a rising edge is sensed, and the mote sleeps no deeper than IDLE.
 *
 * The entry of each interrupt disables all eight (lichen/vectors.h), so that a level does not
 * interrupt its own handler; the handler enables them again.
 */
#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/interrupt.h>
#include <lichen/power.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "chip/atmega128/pin.h"

enum {
    LINES = 8,
    LINES_PER_REGISTER = 4,
    FIRST_SAMPLED = 4, /* INT4 */
};

/* Values of ISCn1:0 of all lines. */
enum sense {
    SENSE_LOW = 0,
    SENSE_FALL = 0xaa,
    SENSE_RISE = 0xff,
};

/* A bit per line. While a line is set, EIMSK is 0; but a handler whose entry came before may still
 * be deferred. It leaves a line alone that is not enabled. */
static volatile uint8_t enabled;
static volatile uint8_t falls_wanted;
static volatile uint8_t rises_wanted;
static volatile uint8_t last_high; /* of a line that alternates: it senses when that level ends */
static struct event *line_event[LINES];

POWER_LIMIT(sampling_limit);

/* Read, since a shift takes five cycles for each bit. */
static uint8_t bit_of(uint8_t line)
{
    static const ARCH_FLASH uint8_t bits[] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80};

    return bits[line];
}

/* The line of a pin, or LINES. */
static uint8_t line_of(uint8_t pin)
{
    if (pin >= GPIO_PIN('D', 0) && pin <= GPIO_PIN('D', 3)) {
        return (uint8_t)(pin - GPIO_PIN('D', 0));
    }
    if (pin >= GPIO_PIN('E', 4) && pin <= GPIO_PIN('E', 7)) {
        return (uint8_t)(pin - GPIO_PIN('E', 0));
    }
    return LINES;
}

static bool is_high(uint8_t line)
{
    return (line < FIRST_SAMPLED ? PIND : PINE) & bit_of(line);
}

/* Changing what a line senses may set its flag. */
static void set_sense(uint8_t line, enum sense sense)
{
    static const ARCH_FLASH uint8_t fields[] = {0x03, 0x0c, 0x30, 0xc0};
    uint8_t field = fields[line % LINES_PER_REGISTER];

    register_update(line < LINES_PER_REGISTER ? &EICRA : &EICRB, field, (uint8_t)(sense & field));
    EIFR = bit_of(line);
}

/* Whether one edge of a line is sensed, always the same. */
static bool is_plain(uint8_t line)
{
    return line < FIRST_SAMPLED && !(falls_wanted & rises_wanted & bit_of(line));
}

/* Of a line that alternates: senses the end of a level. */
static void set_last(uint8_t line, bool high)
{
    register_update(&last_high, bit_of(line), high ? bit_of(line) : 0);
    set_sense(line, !high ? SENSE_RISE : line < FIRST_SAMPLED ? SENSE_FALL : SENSE_LOW);
}

static bool has_changed(uint8_t line)
{
    return is_high(line) != ((last_high & bit_of(line)) != 0);
}

static void limit_sleep(void)
{
    if ((enabled & ~last_high) >> FIRST_SAMPLED != 0) {
        power_limit(&sampling_limit, CHIP_SLEEP_IDLE);
    } else if (sampling_limit != 0) {
        power_unlimit(&sampling_limit);
    }
}

_Static_assert(GPIO_EDGE_BOTH == (GPIO_EDGE_RISING | GPIO_EDGE_FALLING), "a bit for each edge");

struct setting {
    struct event *event;
    uint8_t line;
    enum gpio_edge edge;
};

static int set(void *setting_, void *nothing)
{
    const struct setting *setting = setting_;
    uint8_t line = setting->line, bit = bit_of(line);
    (void)nothing;

    EIMSK = 0;
    register_update(&enabled, bit, 0);
    register_update(&falls_wanted, bit, setting->edge & GPIO_EDGE_FALLING ? bit : 0);
    register_update(&rises_wanted, bit, setting->edge & GPIO_EDGE_RISING ? bit : 0);
    line_event[line] = setting->event;
    if (setting->edge != GPIO_EDGE_NONE) {
        if (is_plain(line)) {
            set_sense(line, setting->edge == GPIO_EDGE_RISING ? SENSE_RISE : SENSE_FALL);
        } else {
            do {
                set_last(line, is_high(line));
            } while (has_changed(line));
        }
        register_update(&enabled, bit, bit);
    }
    limit_sleep();
    EIMSK = enabled;
    return 0;
}

int gpio_event_on_edge(uint8_t pin, enum gpio_edge edge, struct event *event)
{
    struct setting setting = {event, line_of(pin), edge};

    return setting.line == LINES ? ERR_INVALID : arch_run_exclusive(&setting, 0, set);
}

static void post(uint8_t line, uint8_t wanted)
{
    if (wanted & bit_of(line)) {
        event_post_from(line_event[line], LEVEL_DRIVER);
    }
}

/* A pin may change again before the next edge is sensed. */
static void serve(uint8_t line)
{
    if (!(enabled & bit_of(line))) {
        /* It has been turned off, or is being set, since its entry. */
    } else if (is_plain(line)) {
        post(line, 0xff);
    } else {
        do {
            bool was_high = last_high & bit_of(line);
            post(line, was_high ? falls_wanted : rises_wanted);
            set_last(line, !was_high);
        } while (has_changed(line));
        limit_sleep();
    }
    EIMSK = enabled;
}

/* In avr-libc the names of the vectors are also those of their bits in EIMSK. */
#undef INT0
#undef INT1
#undef INT2
#undef INT3
#undef INT4
#undef INT5
#undef INT6
#undef INT7
#define LINE(number)                                                                               \
    INTERRUPT(INT##number)                                                                         \
    {                                                                                              \
        serve(number);                                                                             \
    }
LINE(0)
LINE(1)
LINE(2)
LINE(3)
LINE(4)
LINE(5)
LINE(6)
LINE(7)
