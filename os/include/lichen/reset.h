/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Why the mote started, and how to restart it. */
#ifndef LICHEN_RESET_H
#define LICHEN_RESET_H

enum reset_cause {
    RESET_POWER,     /* power was applied */
    RESET_BROWN_OUT, /* the supply sagged */
    RESET_PIN,       /* the reset pin was pulled */
    RESET_WATCHDOG,  /* the watchdog was not fed */
    RESET_SOFTWARE,  /* the program asked for it, by reset_mote or by a panic */
};

/* The cause of this start. Memory in .noinit is meaningful after all but the first two.
 * returns   one of the above
 * context   any
 * blocks    no
 */
enum reset_cause reset_cause(void);

/* Restarts the mote from the reset vector.
 * context   any
 * blocks    no
 */
_Noreturn void reset_mote(void);

#endif
