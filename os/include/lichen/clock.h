/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Requests for a fast processor clock.
 *
 *     CLOCK_REQUEST(digest_clock);
 *     ... clock_request(&digest_clock, CLOCK_FAST);   before a long computation
 *     ... clock_release(&digest_clock);               when it is done
 *
 * The clock is slow (8 MHz on the SAM R21) unless a request makes it fast (48 MHz). A request is a
 * byte that only its owner, a thread or a driver, writes: what it needs now. The strongest request
 * wins. There is no shared count, so no level can disturb another.
 *
 * With a CLOCK_FAST in force the clock is fast while a thread can run, slow while all wait, and
 * fast again before one of them continues: a thread may wait for a sensor, a bus or a message
 * without releasing its request. The clock does not rise for events and cooperative threads by
 * itself: they request it before each long computation, and release it afterwards. A fast clock
 * stays fast until nothing is ready, even if all have released it: another change would cost more
 * than it saves.
 *
 * Two changes, there and back, cost 0.16 uC, or 0.37 uC with the reading of the slow clock that
 * the kernel then needs. A fast clock pays for computing that takes more than 2 ms at 8 MHz, and
 * not for writing flash or waiting in a loop: doc/spec/energy.md, "The processor's clock". Serial
 * ports, buses, converters, timers and waves run from a clock of their own and do not change with
 * it.
 *
 * `[build] clock` in lichen.toml fixes the clock; then these calls do nothing. They do nothing, and
 * take no memory, on chips with one clock, such as the ATmega128.
 */
#ifndef LICHEN_CLOCK_H
#define LICHEN_CLOCK_H

#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/chip.h>
#include <lichen/loaded.h>

/* What can be requested, the weaker first. 0 is no request. */
enum clock_need {
    CLOCK_FAST = 1, /* to compute: while a thread can run */
    CLOCK_FAST_IDLE /* by a driver whose peripheral runs from the processor's clock: also while the
                       processor waits, in the modes that the driver allows (lichen/power.h) */
};

/* Declares a request; initially there is none. Holds 0, or what is requested. */
#define CLOCK_REQUEST(name)                                                                        \
    static volatile uint8_t name __attribute__((section(".bss.lichen_clocks"), unused));           \
    NOT_LOADED(CLOCK_REQUEST, name)

/* Makes the clock fast, in programs in which it follows requests: for clock_request.
 * context   init, event, thread, coop
 * blocks    no       cost  a change of the clock
 */
void clock_rise(void);

/* Requests a fast clock. The clock is fast when this returns.
 * context   init, event, thread, coop; but the calls for one request must not interrupt each other
 * blocks    no       cost  a change of the clock, 34 us; 20 cycles if it is fast already
 */
static inline void clock_request(volatile uint8_t *request, enum clock_need need)
{
    if (CHIP_CLOCK_CHANGES) {
        *request = (uint8_t)need;
        clock_rise();
    }
}

/* Ends a request. The clock becomes slow when nothing is ready.
 * context   any; as clock_request
 * blocks    no       cost  8 cycles
 */
static inline void clock_release(volatile uint8_t *request)
{
    if (CHIP_CLOCK_CHANGES) {
        *request = 0;
        arch_kernel_request();
    }
}

#endif
