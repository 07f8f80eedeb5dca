/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tick and its alarm: the RTC as a 32-bit counter with one compare value (SAM R21 data sheet,
 * sections RTC and Synchronization).
 *
 * COUNT and COMP0 lie in the 32 kHz domain. A plain read of COUNT, or any access to either while a
 * synchronization is under way, stalls the bus for up to six slow periods, and with it every
 * interrupt. So nothing is accessed while something crosses. Readings are requested, a compare
 * value is written and left to cross, and SYNCRDY, the interrupt at the end of a crossing, makes
 * the next step. Every crossing ends in that interrupt, so a request that finds one under way is
 * noted in `wishes` and made then.
 *
 * The handler is at the drivers' level, so long events delay neither a step nor the count of wraps.
 * It informs the kernel through a second handler, at the kernel level, which it requests.
 *
 * A match says that its tick has come, and a reading is the counter's value at some moment after
 * its request. How long ago that was is not known for certain, since interrupts may have come in
 * between: but not longer than the processor has been awake since it was last idle (ticks_awake.h),
 * for it would not have slept through the interrupt. So after a match or a reading there is an
 * upper bound of the present, `known` plus `behind` plus the time awake, until the processor idles
 * again. With it, a relative time needs no reading, and an alarm whose tick is far enough ahead of
 * it when the compare value has been written will match: the value crosses while the chip sleeps as
 * deep as it may. This is the usual case, a thread that wakes, works and sleeps again: nothing is
 * read, and one value is written.
 *
 * Otherwise an alarm is set in these steps:
 *
 *   COMPARE   write the compare value, unless the tick is nearer than a crossing takes
 *   CONFIRM   request a reading when the compare value has crossed. If the reading has reached the
 *   tick, the alarm fires; if the tick is still ahead, it will match: ARMED
 *
 * While something crosses whose end is waited for, the chip sleeps no deeper than the bus clock
 * that SYNCRDY needs.
 *
 * What is kept here is in counts of the counter. The kernel's ticks are converted where they come
 * and go (tick_length.h).
 */
#include "chip/chip.h"

#include <stddef.h>

#include <lichen/interrupt.h>
#include <lichen/power.h>

#include "arch/armv6m/cycles_awake.h"

#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/rtc.h"
#include "chip/samr21/tick.h"
#include "chip/samr21/tick_length.h"
#include "chip/samr21/ticks_awake.h"

CLOCK_NEEDS(clock_32k);

/* An alarm fewer ticks ahead than this is awaited by readings: the compare value would not have
 * crossed by then. */
#define NEAR_TICKS 16u

/* A reading below this may belong to a wrap that is not counted yet; the overflow flag has at least
 * this many ticks to take effect. A larger value would only repeat a few more readings at each
 * wrap. */
#define WRAP_TICKS 4u

/* How many ticks the counter may be ahead when the handler of a match begins: it is flagged a tick
 * late, and the chip takes less than another to wake; and when the handler of a reading does. */
#define BEHIND_MATCH   3u
#define BEHIND_READING (CHIP_READING_TICKS + 2u)

/* Beyond this the present counts as unknown: deadlines would be too late. */
#define BEHIND_MAX 20u

/* The interrupt that informs the kernel level: nothing else uses its vector. */
#define NEWS INTERRUPT_PM

/* Whom a reading is for, besides the alarm. */
enum {
    POLLED = 1 << 0,  /* those who wait */
    AWAITED = 1 << 1, /* the kernel */
    LATER = 1 << 2,   /* whoever asks for the last reading the next time */
    NOTED = 1 << 3,   /* chip_ticks_noted */
    ASKED = 1 << 7,   /* anybody */
};

/* The alarm's state; from LOOK on, its next step. ARMED_FAR matches once for each wrap until it is
 * reached. LOOK and CONFIRM last until a reading that was requested in them has arrived. */
enum alarm { OFF, REACHED, ARMED, ARMED_FAR, LOOK, CONFIRM, COMPARE };

/* Where `known` comes from, if it leads to the present. */
enum base { STALE, MATCH, READING };

/* What is crossing. The end of an UNWATCHED crossing is seen when something is to cross next. */
enum crossing { NONE, UNWATCHED, WATCHED };

/* Written by the handler and, while the handler is held, by the functions below. One structure, so
 * that one base address serves all fields. */
static struct {
    uint8_t alarm;           /* enum alarm */
    uint8_t crossing;        /* enum crossing: begun, and its SYNCRDY has not been served */
    uint8_t base;            /* enum base */
    uint8_t behind;          /* the present is at most this many ticks, and the time awake, later */
    uint8_t unread;          /* the alarm's state since a compare value was written after the last
                                reading; else OFF */
    bool arrived;            /* the kernel has not taken the reading that it awaited */
    volatile uint8_t wishes; /* whom the next reading is for, */
    volatile uint8_t asked;  /* and the one under way: 0 if there is none */
    volatile uint32_t wraps; /* of the counter's 32 bits; written by the handler alone */
    uint32_t compare;        /* the compare value last written */
    uint32_t asked_wraps;    /* the same at the request of the reading under way */
    uint64_t known;          /* the last reading or match, of some moment of the past */
    uint64_t awaited;        /* the reading that the kernel awaited */
    uint64_t wanted;         /* when the alarm shall come */
    uint64_t reached;        /* when it came, or later */
} state __asm__("tick_state");

/* Other files may have a `state`, too. */
__asm__(".global tick_base\n.set tick_base, tick_state + 2");
_Static_assert(offsetof(__typeof__(state), base) == 2 && STALE == TICK_BASE_STALE, "tick_base");

POWER_LIMIT(crossing_limit);

/* ---------------------------------------------------------------- steps, the handler held or not
 */
/* If a cooperative thread calls, it is interrupted at once: hence the barrier. */
static void tell_news(void)
{
    __asm__ volatile("" : : : "memory");
    NVIC_ISPR = 1u << NEWS;
}

static bool is_armed(void)
{
    return state.alarm == ARMED || state.alarm == ARMED_FAR;
}

/* SYNCRDY is cleared before each crossing, so that it signals the end of that one. If no compare
 * value is armed, the match flag is cleared, too: it may be an earlier value's, and any match that
 * is lost lies before the reading. */
static void request(void)
{
    RTC->INTFLAG = is_armed() ? RTC_INT_SYNCRDY : RTC_INT_SYNCRDY | RTC_INT_CMP0;
    state.asked_wraps = state.wraps;
    RTC->READREQ = RTC_READREQ_RREQ | RTC_READREQ_ADDR_COUNT;
    state.asked |= state.wishes | ASKED; /* before the wishes are gone: chip_ticks_pending */
    state.wishes = 0;
}

/* The present is at most this many ticks later than `known`; more than BEHIND_MAX if that is not
 * known. */
static uint32_t ticks_behind(void)
{
    if (state.base == STALE) {
        return TICKS_AWAKE_UNKNOWN;
    }
    return state.behind + ticks_awake();
}

/* Whether the compare value, just written, will match at the alarm's tick and not before. It has
 * crossed by then, and until it has, the counter does not come to the value before, `old`; a
 * match with that which is `known` has been flagged. The check comes after the write, however long
 * an interrupt lasted in between. */
static bool will_match(uint32_t old)
{
    uint32_t crossed = ticks_behind() + NEAR_TICKS;
    uint64_t ahead = state.wanted - state.known;
    uint32_t until_old = old - (uint32_t)state.known - (state.base == MATCH);
    return crossed <= BEHIND_MAX + NEAR_TICKS && ahead >> 32 == 0 && (uint32_t)ahead >= crossed &&
           until_old > crossed;
}

static void write_compare(void)
{
    uint32_t old = state.compare;
    state.compare = (uint32_t)state.wanted;
    RTC->INTFLAG = RTC_INT_SYNCRDY;
    RTC->COMP0 = state.compare;
    RTC->INTFLAG = RTC_INT_CMP0;
    state.alarm = will_match(old) ? ARMED : CONFIRM;
    state.unread = state.alarm;
}

/* Called while nothing is crossing; afterwards something may be. A reading that somebody waits for
 * comes before the compare value, whose tick is judged again when it arrives. */
static void begin_crossing(void)
{
    state.crossing = NONE;
    if (state.alarm == COMPARE && state.wishes == 0) {
        write_compare();
        state.crossing = state.alarm != ARMED ? WATCHED : UNWATCHED;
    } else if (state.alarm >= LOOK || state.wishes != 0) {
        request();
        state.crossing = WATCHED;
    }
}

static void reach(uint64_t tick)
{
    state.alarm = REACHED;
    state.reached = tick;
    tell_news();
}

/* ---------------------------------------------------------------- the handler */
static void arm(bool far)
{
    state.alarm = far ? ARMED_FAR : ARMED;
    RTC->INTENSET = RTC_INT_CMP0;
}

/* What a reading means for the alarm. */
static void judge(void)
{
    uint64_t ahead = state.wanted - state.known;
    if (state.wanted <= state.known) {
        reach(state.known);
    } else if (state.alarm == CONFIRM) {
        arm(ahead >> 32 != 0);
    } else {
        state.alarm = ahead < NEAR_TICKS ? LOOK : COMPARE;
    }
}

/* Whether a wrap came so near the reading that `asked_wraps` may not belong to it. The start counts
 * as a wrap. */
static bool is_amid_wrap(uint32_t low)
{
    return low < WRAP_TICKS || state.wraps != state.asked_wraps;
}

/* What is taken when others have been read. */
static void keep_for_later(void)
{
    if (state.asked & AWAITED) {
        state.awaited = state.known;
        state.arrived = true;
        tell_news();
    }
    if (state.asked & NOTED) {
        tick_keep_noted(&state.known);
    }
}

/* returns   whether the reading is valid; if not, another one is requested
 */
static bool keep_reading(void)
{
    uint32_t low = RTC->COUNT;
    if (is_amid_wrap(low)) {
        request();
        return false;
    }
    state.known = (uint64_t)state.asked_wraps << 32 | low;
    state.base = READING;
    state.behind = BEHIND_READING;
    if (state.asked & (AWAITED | NOTED)) {
        keep_for_later();
    }
    state.asked = 0;
    state.unread = OFF;
    if (state.alarm >= LOOK) {
        judge();
    }
    return true;
}

/* The sleep limit stays until the kernel has taken the reading, since it usually sets an alarm
 * then. */
static void rest(void)
{
    RTC->INTENCLR = RTC_INT_SYNCRDY;
    if (!state.arrived) {
        power_unlimit(&crossing_limit);
    }
}

static void serve_crossing(void)
{
    if (state.asked != 0 && !keep_reading()) {
        return;
    }
    begin_crossing();
    if (is_armed()) {
        RTC->INTENSET = RTC_INT_CMP0;
    }
    if (state.crossing != WATCHED) {
        rest();
    }
}

/* ---------------------------------------------------------------- the kernel level */
/* Between these two the handler only counts wraps. */
static void hold(void)
{
    RTC->INTENCLR = RTC_INT_SYNCRDY | RTC_INT_CMP0;
    __asm__ volatile("" : : : "memory");
}

static void release(void)
{
    uint8_t interrupts = state.crossing == WATCHED ? RTC_INT_SYNCRDY : 0;
    if (is_armed()) {
        interrupts |= RTC_INT_CMP0;
    }
    __asm__ volatile("" : : : "memory");
    RTC->INTENSET = interrupts;
}

/* Called under a hold, or in the handler. If something is crossing already, the next step is made
 * at its end. */
static void proceed(void)
{
    bool has_crossed = state.crossing == UNWATCHED && (RTC->INTFLAG & RTC_INT_SYNCRDY);
    if (state.crossing == NONE || has_crossed) {
        begin_crossing();
    } else {
        state.crossing = WATCHED;
    }
    if (state.crossing == WATCHED && crossing_limit == 0) {
        power_limit(&crossing_limit, CHIP_SLEEP_IDLE1);
    }
}

static bool awaits_crossing(void)
{
    return state.base != STALE && state.crossing == WATCHED;
}

/* The sleep to come is of any length, as a rule, and the present is not bounded any more. But while
 * the end of a crossing is waited for, it lasts no longer than one, as does all that happens until
 * the flags are seen. If one of them is set, when it was is not known. */
static void extend_bound(void)
{
    uint32_t behind = state.behind + ticks_awake() + BEHIND_READING;
    cycles_awake_start();
    if (behind > BEHIND_MAX || (RTC->INTFLAG & (RTC_INT_SYNCRDY | RTC_INT_CMP0))) {
        cycles_awake_stop();
    }
    state.behind = (uint8_t)behind;
}

/* A match or reading in between is of the time before: hence the order. */
static void forget_present(void)
{
    if (awaits_crossing()) {
        hold();
        if (awaits_crossing()) {
            extend_bound();
            release();
            return;
        }
        release();
    }
    cycles_awake_start();
    state.base = STALE;
}

void tick_sleep_select(uint8_t mode)
{
    forget_present();
    chip_sleep_select(mode);
}

/* Before another compare value there is a reading, unless the last one was bound to match: so a
 * caller that sets the alarm again and again does not keep it from firing. */
static inline __attribute__((always_inline)) void want(uint64_t count)
{
    state.wanted = count;
    if (count <= state.known) {
        reach(state.known);
    } else {
        bool unsure = state.unread == CONFIRM || (state.unread != OFF && state.base == STALE);
        bool reads = unsure || count - state.known < NEAR_TICKS;
        state.alarm = reads ? LOOK : COMPARE;
        proceed();
    }
}

void chip_alarm_set(const uint64_t *at)
{
    uint64_t count = count_of_tick(*at);
    hold();
    want(count);
    release();
}

void chip_ticks_request(void)
{
    hold();
    state.wishes |= POLLED;
    proceed();
    release();
}

bool chip_ticks_pending(void)
{
    return (state.wishes & POLLED) || (state.asked & POLLED);
}

uint64_t chip_ticks_take(void)
{
    while (chip_ticks_pending()) {
    }
    hold();
    uint64_t ticks = tick_of_count(state.known);
    release();
    return ticks;
}

void chip_ticks_note(void)
{
    hold();
    state.wishes |= NOTED;
    proceed();
    release();
}

bool tick_is_noting(void)
{
    return (state.wishes | state.asked) & NOTED;
}

/* An alarm's tick may be later than the last reading. The reading that is asked for is nobody's to
 * wait for: whoever reads the clock would wait for as long as others call this. */
void chip_ticks_known(uint64_t *tick)
{
    hold();
    if (state.known < state.reached) {
        state.known = state.reached;
    }
    *tick = tick_of_count(state.known);
    state.wishes |= LATER;
    proceed();
    release();
}

/* The kernel takes the tick after the one that it is told for the earliest that has not begun, and
 * the count that was read may be nearly over. */
static inline uint64_t tick_read(uint64_t count)
{
    return tick_from_count(count + 1u) - 1u;
}

/* If the present is not bounded: a reading under way is no older than one crossing takes: had it
 * ended, the handler would have stored it before the hold. A stored reading may be of any age, so
 * it only serves earlier requests. */
bool chip_ticks_await(uint64_t *length)
{
    hold();
    uint32_t behind = ticks_behind();
    if (behind <= BEHIND_MAX) {
        *length += tick_from_count(state.known + behind + 1u);
        release();
        return true;
    }
    bool joins = state.asked != 0;
    if (joins) {
        state.asked |= AWAITED;
    } else {
        state.wishes |= AWAITED;
        proceed();
    }
    bool has_arrived = state.arrived;
    uint64_t arrived = tick_read(state.awaited);
    state.arrived = false;
    release();
    if (has_arrived) {
        kernel_tick_arrived(&arrived);
    }
    if (joins) {
        *length += READING_TICKS;
    }
    return false;
}

static void deliver_reading(void)
{
    state.arrived = false;
    uint64_t read = tick_read(state.awaited);
    kernel_tick_arrived(&read);
    hold();
    state.base = STALE; /* the processor may idle without being asked how deep to sleep */
    if (state.crossing != WATCHED) {
        power_unlimit(&crossing_limit);
    }
    release();
}

void tick_length_change(int32_t excess)
{
    hold();
    uint64_t tick = tick_of_count(state.wanted);
    tick_length_set(state.known, excess);
    if (state.alarm != OFF && state.alarm != REACHED) {
        want(count_of_tick(tick));
    }
    release();
}

/* ---------------------------------------------------------------- interrupts */
static void wait_until_crossed(void)
{
    while (RTC->STATUS & RTC_STATUS_SYNCBUSY) {
    }
}

void chip_ticks_start(void)
{
    clock_connect(GCLK_ID_RTC, CLOCK_32K);
    RTC->CTRL = RTC_CTRL_SWRST;
    wait_until_crossed();
    tick_emit_matches();
    RTC->CTRL = RTC_CTRL_ENABLE;
    wait_until_crossed();
    RTC->INTENSET = RTC_INT_OVF;
    chip_interrupt_enable(INTERRUPT_RTC, LEVEL_DRIVER);
    chip_interrupt_enable(NEWS, LEVEL_KERNEL);
}

/* The match that was waited for, or one of an earlier wrap. */
static void serve_match(void)
{
    RTC->INTENCLR = RTC_INT_CMP0;
    if (state.alarm == ARMED_FAR) {
        state.alarm = LOOK;
        proceed();
        RTC->INTENSET = RTC_INT_SYNCRDY;
        return;
    }
    state.known = state.wanted;
    tick_matched((uint32_t)state.known);
    state.base = MATCH;
    state.behind = BEHIND_MATCH;
    reach(state.known);
}

/* A source that is not enabled may be held by the functions above, so only enabled ones are served.
 */
INTERRUPT(RTC)
{
    uint8_t due = RTC->INTFLAG & RTC->INTENSET;
    if (due & RTC_INT_OVF) {
        RTC->INTFLAG = RTC_INT_OVF;
        state.wraps++;
    }
    if (due & RTC_INT_CMP0) {
        serve_match();
    } else if (due & RTC_INT_SYNCRDY) {
        serve_crossing();
    }
    if (state.crossing == WATCHED && state.alarm != REACHED && !state.arrived) {
        state.base = STALE; /* as above: the kernel level may have nothing to do */
    }
}

/* The results stay as they are until they are taken: the other handler writes them only for a step
 * that is begun later, as the kernel may do when it is told. */
INTERRUPT(PM)
{
    if (state.alarm == REACHED) {
        state.alarm = OFF;
        uint64_t reached = tick_of_count(state.reached);
        kernel_alarm(&reached);
    }
    if (state.arrived) {
        deliver_reading();
    }
}
