/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Every error of the system. 0 is success.
 *
 * The environment's failures return one of these; a caller's bug asserts
 * (lichen/panic.h). A result that must not be ignored is marked MUST_CHECK.
 */
#ifndef LICHEN_ERROR_H
#define LICHEN_ERROR_H

enum error {
    ERR_NONE = 0,
    ERR_TIMEOUT = 1,   /* the deadline passed first */
    ERR_BUSY = 2,      /* in use, or already armed: try later */
    ERR_CANCELLED = 3, /* another caller ended the wait */
    ERR_INVALID = 4,   /* an argument outside its documented range that came from outside */
    ERR_FULL = 5,      /* no room */
    ERR_EMPTY = 6,     /* nothing there */
    ERR_IO = 7,        /* the device failed */
    ERR_ABANDONED = 8, /* obtained, but a thread ended while it held it */
    ERR_CORRUPT = 9,   /* what was stored reads back as something else */
    ERR_CHANNEL = 10,  /* the radio's channel was never clear */
    ERR_NO_ACK = 11,   /* the frame was not acknowledged */
};

/* The name of an error, to be printed: print("%s\n", error_name(error)).
 * error     one of the above; any other number has a name, too
 * returns   a text as of TEXT (lichen/print.h)
 * context   any
 * blocks    no
 */
const char *error_name(int error);

#define MUST_CHECK __attribute__((warn_unused_result))

#endif
