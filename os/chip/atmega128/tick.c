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
 * reading below WRAP_TICKS may therefore belong to a wrap that is not counted yet. If it would be
 * before a tick that is known to have begun, it does. If the time was read lately, the wrap that
 * has been counted since is this one. Else the reading waits until the counter has gone on, 2 ms at
 * most. What is lately cannot be told to less than two wraps (doc/design/assumptions.md). No alarm
 * waits for that: it is set for the wrap that is counted, and if that is over, the interrupt that
 * counts the next one finds that the alarm has come.
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

/* To wake from power-save takes 2.2 ms, and the tick in progress counts. */
#define WAKING_TICKS 3u

#define PRESCALE_32 (1 << CS01 | 1 << CS00)
#define BUSY        (1 << TCN0UB | 1 << OCR0UB | 1 << TCR0UB)

/* Handlers make FAR NEAR, and ARMED REACHED. */
enum alarm {
    OFF,
    FAR,   /* in a wrap that has not begun */
    NEAR,  /* its wrap has begun */
    ARMED, /* in OCR0 */
    REACHED,
};

/* A tick in its parts: the counter, and how often it has wrapped, which 32 bits hold for 34 years.
 * The compiler makes calls of what it would shift and compare in 64 bits. */
union moment {
    uint64_t tick;
    struct {
        uint8_t counter;
        uint32_t wrap;
        uint8_t above[3];
    };
    uint8_t bytes[8]; /* from the counter on */
};
_Static_assert(sizeof(union moment) == sizeof(uint64_t), "parts of a tick");

static volatile uint32_t wraps; /* written by the overflow's handler */
static volatile uint8_t unread; /* a bit for each wrap counted since the time was read, at most 8 */
static union moment seen;       /* what the counter and its wraps showed when they were last read */
static union moment known;      /* the latest tick that is known to have begun */
static union moment wanted;     /* the alarm's tick */
static volatile uint8_t alarm;  /* enum alarm */

static volatile bool unmatched; /* the flag of the match with OCR0 has not come */

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

/* An armed alarm whose wrap is over was set while the counter left it, however unlikely that is. */
static inline __attribute__((always_inline)) void count_for_alarm(uint32_t now)
{
    enum alarm state = alarm;
    if (state == FAR && now >= wanted.wrap) {
        alarm = NEAR;
    } else if (state == ARMED && now > wanted.wrap) {
        alarm = REACHED;
    } else {
        return;
    }
    arch_kernel_request_from(LEVEL_DRIVER);
}

ARCH_INTERRUPT_OVER(TIMER0_OVF)
{
    uint32_t now = wraps + 1;
    wraps = now;
    unread = (uint8_t)(unread << 1 | 1);
    count_for_alarm(now);
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
    if (tick_unread != 0) {
        write_control();
        tick_unread = 0;
    }
}

/* Reads the counter together with its wraps, whose lowest byte tells whether they are still as
 * many. */
static void see(void)
{
    do {
        seen.wrap = wraps;
        seen.counter = TCNT0;
    } while ((uint8_t)seen.wrap != *(const volatile uint8_t *)&wraps);
}

/* Takes the time that the counter shows, unless it has just wrapped and that may not be counted.
 * The next reading is then not taken for a late one.
 * returns   whether it is certain
 */
static bool read(void)
{
    bool lately = unread <= 1;
    unread = 0;
    see();
    if (seen.counter < WRAP_TICKS) {
        if (arch_u64_less(&seen.tick, &known.tick)) {
            /* Byte by byte, as the compiler's code for 32 bits takes twice as many instructions. */
            for (uint8_t *byte = &seen.bytes[1]; ++*byte == 0; byte++) {
            }
        } else if (!lately || known.counter < WRAP_TICKS) {
            unread = UINT8_MAX;
            return false;
        }
    }
    arch_u64_copy(&known.tick, &seen.tick);
    return true;
}

/* `tick_unread` does not count: if cooperative threads read the time, each kernel level that ends
 * meanwhile sets it, and nobody requests the reading again until it is taken. */
bool chip_ticks_pending(void)
{
    return ((ASSR & 1 << TCR0UB) | (TCNT0 < WRAP_TICKS)) != 0;
}

/* Waits until the counter can be read. */
static void synchronize(void)
{
    chip_ticks_request();
    while (ASSR & 1 << TCR0UB) {
    }
}

/* Makes the present time known. */
static __attribute__((noinline)) void take(void)
{
    synchronize();
    while (!read()) {
    }
}

uint64_t chip_ticks_take(void)
{
    take();
    return known.tick;
}

static uint64_t noted;

void chip_ticks_note(void)
{
    take();
    arch_u64_copy(&noted, &known.tick);
}

uint64_t chip_ticks_noted(void)
{
    return noted;
}

void chip_ticks_known(uint64_t *tick)
{
    chip_ticks_request();
    if (!chip_ticks_pending()) {
        (void)read();
    }
    arch_u64_copy(tick, &known.tick);
}

/* ---------------------------------------------------------------- the alarm */
static __attribute__((noinline)) void enable_match(uint8_t enable)
{
    register_update(&TIMSK, 1 << OCIE0, enable);
}

static __attribute__((noinline)) bool is_before_alarm(const union moment *moment)
{
    return arch_u64_less(&moment->tick, &wanted.tick);
}

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

/* Sets the alarm, whose wrap is this one.
 *
 * The counter is compared throughout a tick, and the match comes when it leaves the tick. So if it
 * has not come to the tick when it is read after the compare value has crossed, the match is yet to
 * come, although the reading may be an edge of the crystal old. Nobody waits for a tick here: an
 * alarm each tick would leave no time for threads. But if the counter is just leaving the value
 * before, whose flag has not come, it must come first: it would be taken for one of this.
 *
 * Far from both values, no match can come while the new one crosses, and nothing waits for that.
 *
 * In the end, the counter and the wraps that have been counted tell whether the tick has come. A
 * wrap that is not counted will be. */
static void set(void)
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
    enable_match(1 << OCIE0);
    see();
    if (!is_before_alarm(&seen) && alarm == ARMED) {
        enable_match(0);
        reach();
    }
}

/* Before the time is read, the alarm is FAR: so its wrap has begun by then, or the wrap's handler
 * knows of it. A reading that is not certain does for an alarm. */
void chip_alarm_set(const uint64_t *tick)
{
    const union moment *at = (const union moment *)tick;

    alarm = OFF;
    enable_match(0);
    if ((at->above[0] | at->above[1] | at->above[2]) != 0) {
        return; /* in 34 years */
    }
    arch_u64_copy(&wanted.tick, tick);
    alarm = FAR;
    synchronize();
    (void)read();
    if (!is_before_alarm(&known)) {
        reach();
        return;
    }
    seen.counter = UINT8_MAX; /* now the last tick of its wrap */
    if (!is_before_alarm(&seen)) {
        set();
    }
}

/* In 16 bits: an alarm that is a multiple of 64 s further away is taken for a near one. */
static bool is_near(void)
{
    see();
    return (uint16_t)((uint16_t)wanted.tick - (uint16_t)seen.tick) <= WAKING_TICKS;
}

void tick_sleep_select(uint8_t mode)
{
    if (mode == CHIP_SLEEP_POWER_SAVE && is_near()) {
        mode = CHIP_SLEEP_EXTENDED_STANDBY;
    }
    chip_sleep_select(mode);
}

/* The clock is read now: an event may go on for long. What it showed is handed over when the kernel
 * level has ended what it does, or at the next call. */
bool chip_ticks_await(uint64_t *length)
{
    (void)length;
    if (awaited) {
        kernel_tick_arrived(&awaited_at);
    }
    take();
    arch_u64_copy(&awaited_at, &known.tick);
    awaited = true;
    arch_kernel_request_from(LEVEL_KERNEL);
    return false;
}

/* Whether the alarm, which has come, is no later than lichen/time.h says. In 8 bits: one that is
 * later by whole wraps passes too, which costs one more alarm. */
static bool is_on_time(void)
{
    return (uint8_t)(known.counter - wanted.counter) <= CHIP_LATE_TICKS + WAKING_TICKS;
}

/* An alarm that is on time is reported by its own tick even if a later one is known, so that each
 * short period that has passed meanwhile gets its own alarm and its own run.
 *
 * The wrap of a NEAR alarm may have woken the mote, and the counter read as before, until what its
 * handler has written has crossed. The time itself is not read, which is uncertain just now. */
void tick_serve(void)
{
    enum alarm state = alarm;
    if (state == REACHED) {
        alarm = OFF;
        if (is_before_alarm(&known)) {
            arch_u64_copy(&known.tick, &wanted.tick);
        }
        kernel_alarm(is_on_time() ? &wanted.tick : &known.tick);
    } else if (state == NEAR) {
        synchronize();
        set();
    }
    if (awaited) {
        awaited = false;
        kernel_tick_arrived(&awaited_at);
    }
}
