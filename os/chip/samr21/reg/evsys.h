/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Event system (SAM R21 data sheet, section EVSYS). */
#ifndef SAMR21_REG_EVSYS_H
#define SAMR21_REG_EVSYS_H

#include <stddef.h>
#include <stdint.h>

struct evsys {
    uint8_t volatile CTRL;
    uint8_t reserved_01[3];
    uint32_t volatile CHANNEL;
    uint16_t volatile USER;
};
_Static_assert(offsetof(struct evsys, USER) == 0x08, "EVSYS.USER");

static struct evsys *const EVSYS = (struct evsys *)0x42000400;

enum {
    EVSYS_CHANNEL_CHANNEL_Pos = 0,
    EVSYS_CHANNEL_EVGEN_Pos = 16,
    EVSYS_CHANNEL_PATH_ASYNCHRONOUS = 2 << 24,
    EVSYS_USER_USER_Pos = 0,
    EVSYS_USER_CHANNEL_Pos = 8, /* the channel's number plus 1 */
};

/* EVSYS.CHANNEL.EVGEN: where events come from. */
enum {
    EVSYS_EVGEN_RTC_CMP0 = 1,
    EVSYS_EVGEN_EIC_EXTINT0 = 12, /* line n: plus n */
};

/* EVSYS.USER.USER: where they go. */
enum {
    EVSYS_USER_TCC0_MC0 = 6,
    EVSYS_USER_TCC1_MC0 = 12,
};

#endif
