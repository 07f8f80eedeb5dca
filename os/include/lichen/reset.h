/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Why the mote started, and how to start it again. */
#ifndef LICHEN_RESET_H
#define LICHEN_RESET_H

enum reset_cause {
    RESET_POWER,     /* power was applied */
    RESET_BROWN_OUT, /* the supply sagged */
    RESET_PIN,       /* somebody pulled the reset pin */
    RESET_WATCHDOG,  /* the watchdog was not fed */
    RESET_SOFTWARE,  /* the program asked for it, by reset_mote or by a panic */
};

/* The cause of this start. What .noinit memory holds is meaningful after all but the first two.
 * returns   one of the above
 * context   any
 * blocks    no
 */
enum reset_cause reset_cause(void);

/* Starts the mote again, from the reset vector.
 * context   any
 * blocks    no
 */
_Noreturn void reset_mote(void);

#endif
