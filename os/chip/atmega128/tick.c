/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tick and its alarm: timer 0, asynchronous, from the 32,768 Hz crystal divided by 32
 * (ATmega128 data sheet, 8-bit Timer/Counter0 with PWM and Asynchronous Operation).
 *
 * The counter has 8 bits, so it overflows, and wakes the mote, every 250 ms; the wraps are counted
 * in its interrupt. Three rules of the asynchronous domain shape this file.
 *
 * After sleep the counter reads as before, until the crystal's next edge. Writing TCCR0 shows when
 * that has come: its busy bit falls two edges later, 61 us at most.
 *
 * The flags of a match and of an overflow come up to a tick late, when the counter has gone on. A
 * reading below WRAP_TICKS may therefore belong to a wrap that is not counted yet. What is known of
 * the time decides that; if it does not, the reading waits until the counter has gone on, 2 ms at
 * most. A program that has not read the time for more than a wrap may be misled (CAVEATS.md).
 *
 * A register must have crossed before the processor sleeps, and a crystal's period must pass
 * between an interrupt of the timer and the next sleep. Each interrupt writes a register, and
 * whatever sleeps does so when no busy bit is set (arch_idle, arch_wait).
 *
 * No busy bit makes an interrupt, so nothing can be awaited.
 */
#include "chip/chip.h"

#include <lichen/interrupt.h>

#include "arch/arch.h"

#include "chip/atmega128/registers.h"
#include "chip/atmega128/serve.h"
#include "chip/atmega128/tick.h"
#include "chip/atmega128/watchdog.h"

#define WRAP_TICKS 2u

/* An alarm that is more ticks ahead is set when it is nearer. */
#define FAR_TICKS 250u

#define PRESCALE_32 (1 << CS01 | 1 << CS00)
#define BUSY        (1 << TCN0UB | 1 << OCR0UB | 1 << TCR0UB)

enum alarm { OFF, FAR, ARMED, REACHED };

/* A tick in its parts: the counter, and how often it has wrapped, which 32 bits hold for 34 years.
 * The compiler makes calls of what it would shift and compare in 64 bits. */
union moment {
    uint64_t tick;
    struct {
        uint8_t counter;
        uint32_t wrap;
        uint8_t above[3];
    };
};
_Static_assert(sizeof(union moment) == sizeof(uint64_t), "parts of a tick");

static volatile uint32_t wraps; /* written by the overflow's handler */
static union moment known;      /* the latest tick that is known to have begun */
static union moment wanted;     /* the alarm's tick */
static volatile uint8_t alarm;  /* enum alarm; the match's handler makes ARMED REACHED */

static volatile bool unmatched; /* the flag of the match with OCR0 has not come */

static volatile bool looks; /* the wrap of a FAR alarm has begun */
static bool awaited;        /* the kernel awaits a reading */
static uint64_t awaited_at; /* what it was */

/* Even a program without events has a kernel level for the alarm. */
__asm__(".global alone_serve, chip_serve");

/* ---------------------------------------------------------------- interrupts */
/* Writes TCCR0, unless that is under way. Both interrupts do so, so that the chip does not sleep
 * before the crystal's next edge; and none may come between the test and the store, because a
 * second write could damage the first.
 */
static void write_control(void)
{
    uint8_t status = SREG;
    __asm__ volatile("cli" : : : "memory");
    if (!(ASSR & 1 << TCR0UB)) {
        TCCR0 = PRESCALE_32;
    }
    SREG = status;
}

/* An armed alarm whose wrap is over was set while the counter left it, however unlikely that is.
 * past   wraps since that of the alarm began
 */
static inline __attribute__((always_inline)) void count_for_alarm(int32_t past)
{
    if (alarm == FAR && past >= 0) {
        looks = true;
        arch_kernel_request_from(LEVEL_DRIVER);
    } else if (alarm == ARMED && past > 0) {
        alarm = REACHED;
        arch_kernel_request_from(LEVEL_DRIVER);
    }
}

ARCH_INTERRUPT_OVER(TIMER0_OVF)
{
    uint32_t now = wraps + 1;
    wraps = now;
    if (alarm != OFF) {
        count_for_alarm((int32_t)(now - wanted.wrap));
    }
    write_control();
    if (watchdog_serve != 0) {
        watchdog_serve(interrupted);
    }
}

INTERRUPT(TIMER0_COMP)
{
    register_update(&TIMSK, 1 << OCIE0, 0);
    unmatched = false;
    if (alarm == ARMED) {
        alarm = REACHED;
        arch_kernel_request_from(LEVEL_DRIVER);
    }
    write_control();
}

/* ---------------------------------------------------------------- the kernel level */
void chip_ticks_start(void)
{
    ASSR = 1 << AS0;
    TCNT0 = 0;
    OCR0 = 0xff;
    TCCR0 = PRESCALE_32;
    while (ASSR & BUSY) {
    }
    TIFR = 1 << OCF0 | 1 << TOV0;
    register_update(&TIMSK, 1 << TOIE0, 1 << TOIE0);
}

void chip_ticks_request(void)
{
    if (tick_unread) {
        write_control();
        tick_unread = false;
    }
}

/* The wraps that have been counted. Their lowest byte tells whether they are still as many. */
static uint32_t wraps_counted(void)
{
    uint32_t counted;
    do {
        counted = wraps;
    } while ((uint8_t)counted != *(const volatile uint8_t *)&wraps);
    return counted;
}

/* Takes the time that the counter shows, unless it has just wrapped and that is not counted yet.
 * returns   whether it is certain
 */
static bool read(void)
{
    uint32_t wrap;
    uint8_t counter;
    do {
        wrap = wraps_counted();
        counter = TCNT0;
    } while ((uint8_t)wrap != *(const volatile uint8_t *)&wraps);
    if (counter < WRAP_TICKS) {
        bool is_too_early = wrap < known.wrap || (wrap == known.wrap && counter < known.counter);
        if (!is_too_early && known.counter < WRAP_TICKS) {
            return false;
        }
        wrap += is_too_early;
    }
    known.counter = counter;
    known.wrap = wrap;
    return true;
}

/* `tick_unread` does not count: if cooperative threads read the time, each kernel level that ends
 * meanwhile sets it, and nobody requests the reading again until it is taken. */
bool chip_ticks_pending(void)
{
    return (ASSR & 1 << TCR0UB) || TCNT0 < WRAP_TICKS;
}

/* Makes the present time known. */
static void take(void)
{
    chip_ticks_request();
    while (ASSR & 1 << TCR0UB) {
    }
    while (!read()) {
    }
}

uint64_t chip_ticks_take(void)
{
    take();
    return known.tick;
}

/* ---------------------------------------------------------------- the alarm */
static void reach(void)
{
    alarm = REACHED;
    arch_kernel_request_from(LEVEL_KERNEL);
}

/* Whether a value of the counter is that of a compare value, or one beside it. A reading may be an
 * edge of the crystal old. */
static bool is_beside(uint8_t counter, uint8_t compared)
{
    return (uint8_t)(counter - compared + 2u) <= 4u;
}

/* The counter is compared throughout a tick, and the match comes when it leaves the tick. So if it
 * has not come to the tick when it is read after the compare value has crossed, the match is yet to
 * come, although the reading may be an edge of the crystal old. Nobody waits for a tick here: an
 * alarm each tick would leave no time for threads. But if the counter is just leaving the value
 * before, whose flag has not come, it must come first: it would be taken for one of this.
 *
 * Far from both values, no match can come while the new one crosses, and nothing waits for that. */
static void set_near(void)
{
    while (ASSR & 1 << OCR0UB) {
    }
    uint8_t before = OCR0;
    while (unmatched && !(TIFR & 1 << OCF0) && (uint8_t)(TCNT0 - before) < WRAP_TICKS) {
    }
    alarm = OFF;
    unmatched = true;
    OCR0 = wanted.counter;
    uint8_t counter = TCNT0;
    if (is_beside(counter, before) || is_beside(counter, wanted.counter)) {
        while (ASSR & 1 << OCR0UB) {
        }
    }
    TIFR = 1 << OCF0;
    alarm = ARMED;
    register_update(&TIMSK, 1 << OCIE0, 1 << OCIE0);
}

/* The alarm has been set; its tick had come before. */
static void fire_if(bool is_reached)
{
    if (is_reached && alarm == ARMED) {
        register_update(&TIMSK, 1 << OCIE0, 0);
        reach();
    }
}

/* The wrap of a FAR alarm has begun, so the counter alone tells whether its tick has come: the time
 * is not read, which is uncertain just now. */
static void look(void)
{
    set_near();
    fire_if(TCNT0 >= wanted.counter || wraps_counted() != wanted.wrap);
}

/* Its wrap may have begun before its handler knew of the alarm. */
static void set_far(void)
{
    alarm = FAR;
    if ((int32_t)(wraps_counted() - wanted.wrap) >= 0) {
        look();
    }
}

void chip_alarm_set(const uint64_t *tick)
{
    take();
    alarm = OFF;
    looks = false;
    arch_u64_copy(&wanted.tick, tick);
    if ((wanted.above[0] | wanted.above[1] | wanted.above[2]) != 0 || (int32_t)wanted.wrap < 0) {
        wanted = (union moment){.wrap = INT32_MAX}; /* in 17 years; before that it is never near */
    }
    register_update(&TIMSK, 1 << OCIE0, 0);
    if (!arch_u64_less(&known.tick, &wanted.tick)) {
        reach();
        return;
    }
    uint32_t ahead = arch_u64_between(&known.tick, &wanted.tick);
    if (ahead > FAR_TICKS && wanted.wrap != known.wrap) {
        set_far();
    } else {
        set_near();
        fire_if((uint8_t)(TCNT0 - known.counter) >= ahead);
    }
}

/* The clock is read now: an event may go on for long. What it showed is handed over when the kernel
 * level has ended what it does, or at the next call. */
uint32_t chip_ticks_await(void)
{
    if (awaited) {
        kernel_tick_arrived(&awaited_at);
    }
    take();
    arch_u64_copy(&awaited_at, &known.tick);
    awaited = true;
    arch_kernel_request_from(LEVEL_KERNEL);
    return 0;
}

void tick_serve(void)
{
    if (alarm == REACHED) {
        alarm = OFF;
        if (arch_u64_less(&known.tick, &wanted.tick)) {
            arch_u64_copy(&known.tick, &wanted.tick);
        }
        kernel_alarm(&known.tick);
    } else if (looks) {
        looks = false;
        if (alarm == FAR) {
            look();
        }
    }
    if (awaited) {
        awaited = false;
        kernel_tick_arrived(&awaited_at);
    }
}
