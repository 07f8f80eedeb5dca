/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers whose parts belong to several users that may interrupt each other: interrupt
 * priorities, bus clocks, lines of a controller. Reading one, changing the value and writing it
 * back loses what an interrupt has changed in between, and the processor has no instruction that
 * does all three.
 *
 * So there is one way to change such a register, and its type prevents any other from compiling. If
 * the chip has registers that set and clear bits, those are better still.
 */
#ifndef CHIP_REGISTER_H
#define CHIP_REGISTER_H

#include <stdint.h>

/* A register shared by several users. It can be read; only shared_register_update writes it. */
struct shared_register {
    uint32_t const volatile value;
};

/* Sets the bits of `mask` to those of `bits`, and changes no others, even if other users change
 * those at the same time.
 * bits      within the mask
 * context   init, event, thread, coop
 * blocks    no
 */
void shared_register_update(struct shared_register *shared, uint32_t mask, uint32_t bits);

#endif
