/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The names of errors. */
#include <lichen/error.h>

#include <lichen/arch.h>

const char *error_name(int error)
{
    switch (error) {
    case ERR_NONE:
        return ARCH_TEXT("ERR_NONE");
    case ERR_TIMEOUT:
        return ARCH_TEXT("ERR_TIMEOUT");
    case ERR_BUSY:
        return ARCH_TEXT("ERR_BUSY");
    case ERR_CANCELLED:
        return ARCH_TEXT("ERR_CANCELLED");
    case ERR_INVALID:
        return ARCH_TEXT("ERR_INVALID");
    case ERR_FULL:
        return ARCH_TEXT("ERR_FULL");
    case ERR_EMPTY:
        return ARCH_TEXT("ERR_EMPTY");
    case ERR_IO:
        return ARCH_TEXT("ERR_IO");
    case ERR_ABANDONED:
        return ARCH_TEXT("ERR_ABANDONED");
    case ERR_CORRUPT:
        return ARCH_TEXT("ERR_CORRUPT");
    case ERR_CHANNEL:
        return ARCH_TEXT("ERR_CHANNEL");
    case ERR_NO_ACK:
        return ARCH_TEXT("ERR_NO_ACK");
    default:
        return ARCH_TEXT("no error of the system");
    }
}
