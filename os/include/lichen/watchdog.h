/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The watchdog: a mote that hangs starts again, and leaves a record that says where it hung.
 *
 *     WATCHDOG_CHANNEL(sampling);
 *     WATCHDOG_LIMIT_MS(2000);
 *
 *     THREAD(sampler, 512, PRIORITY_APP)
 *     {
 *         for (;;) { ...; watchdog_feed(&sampling); sleep_ms(1000); }
 *     }
 *
 * Each part of a program that must not stop declares a channel, and feeds it at least once in each
 * length of time that the limit says. A thread or a cooperative thread feeds where it has done its
 * work, an event or a real-time task that comes periodically in its handler. So whatever keeps a
 * part from its work is noticed: a wake-up that was lost, a computation without end in a thread, an
 * event or an interrupt that starves it, a deadlock, a clock that stopped. Nobody feeds for
 * somebody else: neither idling nor a timer proves that threads do their work.
 *
 * Feeding is one store. Once per limit the watchdog interrupts, at level 0, and looks whether all
 * channels were fed: if so, it clears them and the hardware. If not, the program ends by a panic
 * (PANIC_WATCHDOG) whose place is what was interrupted, and whose detail is the first channel that
 * was not fed. If not even this interrupt comes, because level 0 hangs or the processor is locked
 * up, the hardware resets the mote after as much time again, or 8 s if that is less: reset_cause()
 * is RESET_WATCHDOG then.
 *
 * Declaring a channel brings the watchdog into the program; it runs from start-up, in every sleep
 * mode, and cannot be stopped but by a panic of a program that says PANIC_HALT. The mote wakes for
 * it once per limit, at least each 8 s, for 100 cycles and 18 for each channel, for which real-time
 * tasks may have to wait.
 */
#ifndef LICHEN_WATCHDOG_H
#define LICHEN_WATCHDOG_H

#include <stdint.h>

/* A part of the program that must not stop. Made by WATCHDOG_CHANNEL. */
struct watchdog_channel {
    volatile uint8_t fed; /* set by its part, cleared by the watchdog's interrupt */
};

/* Declares a channel; `extern struct watchdog_channel name` makes it known in another file. The
 * linker collects them, and brings the watchdog (os/kernel/watchdog). */
#define WATCHDOG_CHANNEL(name)                                                                     \
    __asm__(".global kernel_watchdog");                                                            \
    struct watchdog_channel name __attribute__((section(".bss.lichen_watchdog"), used))

/* The longest time that the hardware waits by itself; longer limits are several of it. */
#define WATCHDOG_PIECE_MS 8000u

/* How long a channel may stay without being fed. Counted in whole pieces. */
struct watchdog_limit {
    uint16_t pieces;
    uint16_t piece_ms;
};
extern const struct watchdog_limit watchdog_limit;

#define WATCHDOG_PIECES(ms) (((ms)-1u) / WATCHDOG_PIECE_MS + 1u)

/* Sets the limit of the program, once, in one of its files; else it is 8 s. A channel that is fed
 * at least so often is never late. One that is not is noticed after twice the limit, rounded up, at
 * the latest: the SAM R21 knows 7.8 ms times a power of two, and 8 s times a number.
 *
 * ms        from 30, so that the words of a panic have time to leave; of an oscillator that may be
 *           some percent off
 */
#define WATCHDOG_LIMIT_MS(ms)                                                                      \
    _Static_assert((ms) >= 30, "the watchdog's limit is 30 ms at least");                          \
    _Static_assert(WATCHDOG_PIECES(ms) <= UINT16_MAX,                                              \
                   "the watchdog's limit is 145 hours at most");                                   \
    const struct watchdog_limit watchdog_limit = {                                                 \
        .pieces = WATCHDOG_PIECES(ms),                                                             \
        .piece_ms = ((ms) + WATCHDOG_PIECES(ms) - 1u) / WATCHDOG_PIECES(ms),                       \
    }

/* Says that a part of the program works.
 * context   any
 * blocks    no       cost  5 cycles
 */
static inline void watchdog_feed(struct watchdog_channel *channel)
{
    channel->fed = 1;
}

#endif
