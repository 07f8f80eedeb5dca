/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The watchdog: a mote that hangs restarts, and leaves a record that says where it hung.
 *
 *     WATCHDOG_CHANNEL(sampling);
 *     WATCHDOG_LIMIT_MS(2000);
 *
 *     THREAD(sampler, 512, PRIORITY_APP)
 *     {
 *         for (;;) { ...; watchdog_feed(&sampling); sleep_ms(1000); }
 *     }
 *
 * Each part of a program that must keep running declares a channel, and feeds it at least once in
 * each period of the limit. A thread or a cooperative thread feeds where it has done its work, a
 * periodic event or real-time task in its handler. So whatever keeps a part from its work is
 * noticed: a lost wake-up, an endless computation in a thread, an event or an interrupt that
 * starves it, a deadlock, a stopped clock. No part feeds on behalf of another: neither idling nor a
 * timer proves that threads do their work.
 *
 * Feeding is one store. Once per limit the watchdog interrupts, at level 0, and checks whether all
 * channels were fed: if so, it clears them and the hardware. If not, the program ends with a panic
 * (PANIC_WATCHDOG) whose place is what was interrupted, and whose detail is the first channel that
 * was not fed. If even this interrupt does not run, because level 0 hangs or the processor is
 * locked up, the hardware resets the mote after the same time once more, or 8 s if that is less:
 * reset_cause() is then RESET_WATCHDOG.
 *
 * Declaring a channel pulls the watchdog into the program; it runs from start-up, in every sleep
 * mode, and cannot be stopped except by a panic of a program that says PANIC_HALT. The mote wakes
 * for it once per limit, at least every 8 s, for 100 cycles plus 18 for each channel, for which
 * real-time tasks may have to wait.
 */
#ifndef LICHEN_WATCHDOG_H
#define LICHEN_WATCHDOG_H

#include <stdint.h>

#include <lichen/loaded.h>

/* A part of the program that must keep running. Made by WATCHDOG_CHANNEL. */
struct watchdog_channel {
    volatile uint8_t fed; /* set by its part, cleared by the watchdog's interrupt */
};

/* Declares a channel; `extern struct watchdog_channel name` makes it known in another file. The
 * linker collects the channels and pulls in the watchdog (os/kernel/watchdog). */
#define WATCHDOG_CHANNEL(name)                                                                     \
    NOT_LOADED(WATCHDOG_CHANNEL, name);                                                            \
    DECLARATION_NEEDS(kernel_watchdog);                                                            \
    struct watchdog_channel name __attribute__((section(".bss.lichen_watchdog"), used))

/* The longest time that the hardware can wait; longer limits are multiples of it. */
#define WATCHDOG_PIECE_MS 8000u

/* How long a channel may go without being fed, counted in whole pieces. */
struct watchdog_limit {
    uint16_t pieces;
    uint16_t piece_ms;
};
extern const struct watchdog_limit watchdog_limit;

#define WATCHDOG_PIECES(ms) (((ms)-1u) / WATCHDOG_PIECE_MS + 1u)

/* Sets the limit of the program, once, in one of its files; the default is 8 s. A channel that is
 * fed at least this often is never late. One that is not is noticed after twice the limit, rounded
 * up, at the latest: the SAM R21 supports 7.8 ms times a power of two, and multiples of 8 s. On the
 * ATmega128 a limit, and each part of one beyond 8 s, is rounded up to 250 ms and takes 250 ms
 * more; and there a driver's handler that never ends leaves no record: the mote is reset after 2 s.
 *
 * ms        at least 30, so that a panic has time to print; measured by an oscillator that may be
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

/* Reports that a part of the program works.
 * context   any
 * blocks    no       cost  5 cycles
 */
static inline void watchdog_feed(struct watchdog_channel *channel)
{
    channel->fed = 1;
}

#endif
