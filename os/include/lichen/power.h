/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How deep the processor may sleep when nothing is ready.
 *
 *     POWER_LIMIT(console_limit);
 *     ... power_limit(&console_limit, CHIP_SLEEP_IDLE2);   while a byte is on the wire
 *     ... power_unlimit(&console_limit);                   when it has left
 *
 * A limit is a byte that only its driver writes: the deepest mode that the driver allows now. The
 * kernel takes the minimum of all limits each time it goes idle. There is no shared count, so no
 * level can disturb another.
 */
#ifndef LICHEN_POWER_H
#define LICHEN_POWER_H

#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/chip.h>
#include <lichen/error.h>
#include <lichen/loaded.h>

/* Declares a limit; initially there is none. Holds 0, or the deepest mode allowed plus one. */
#define POWER_LIMIT(name)                                                                          \
    static volatile uint8_t name __attribute__((section(".bss.lichen_limits"), used));             \
    NOT_LOADED(POWER_LIMIT, name);                                                                 \
    DECLARATION_NEEDS(power_choose_limited) /* os/kernel/power/limits.c */

/* Forbids every mode deeper than `mode`, one of the chip's names: on the SAM R21 CHIP_SLEEP_IDLE0,
 * CHIP_SLEEP_IDLE1 and CHIP_SLEEP_IDLE2, on the ATmega128 CHIP_SLEEP_IDLE,
 * CHIP_SLEEP_ADC_NOISE_REDUCTION and CHIP_SLEEP_EXTENDED_STANDBY; the lightest first. 0 is the
 * lightest on every chip, and CHIP_SLEEP_MODES - 1 the deepest.
 * context   any; but the calls for one limit must not interrupt each other
 * blocks    no       cost  8 cycles
 */
static inline void power_limit(volatile uint8_t *limit, uint8_t mode)
{
    *limit = (uint8_t)(mode + 1u);
    arch_kernel_request();
}

/* Lifts a limit.
 * context   any; as power_limit
 * blocks    no       cost  8 cycles
 */
static inline void power_unlimit(volatile uint8_t *limit)
{
    *limit = 0;
    arch_kernel_request();
}

/* A sleep mode and how often it was chosen. */
struct power_choice {
    const char *mode; /* its name, a text: lichen/print.h */
    uint32_t count;   /* since start-up */
};

/* How often a sleep mode was chosen: each time when the kernel level had ended and nothing was
 * ready. These are the wake-ups that gave the kernel or a thread work; a driver's interrupt that
 * only moves a byte is not among them. A program that calls this counts, in 16 bytes of RAM and 40
 * cycles at each choice.
 * mode      from 0, the lightest, on
 * returns   0, or ERR_EMPTY beyond the deepest
 * context   event, thread
 * blocks    no
 */
MUST_CHECK int power_chosen(uint8_t mode, struct power_choice *choice);

#endif
