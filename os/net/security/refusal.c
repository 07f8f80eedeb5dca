/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The names of refusals. */
#include <lichen/arch.h>
#include <lichen/link_security.h>

const char *link_refusal_name(enum link_refusal refusal)
{
    switch (refusal) {
    case LINK_GOOD:
        return ARCH_TEXT("LINK_GOOD");
    case LINK_HEADER_CUT:
        return ARCH_TEXT("LINK_HEADER_CUT");
    case LINK_HEADER_RESERVED:
        return ARCH_TEXT("LINK_HEADER_RESERVED");
    case LINK_COUNTER_ABSENT:
        return ARCH_TEXT("LINK_COUNTER_ABSENT");
    case LINK_LEVEL_MISSING:
        return ARCH_TEXT("LINK_LEVEL_MISSING");
    case LINK_LEVEL_WITHOUT_MIC:
        return ARCH_TEXT("LINK_LEVEL_WITHOUT_MIC");
    case LINK_LEVEL_REFUSED:
        return ARCH_TEXT("LINK_LEVEL_REFUSED");
    case LINK_KEY_UNKNOWN:
        return ARCH_TEXT("LINK_KEY_UNKNOWN");
    case LINK_DEVICE_UNKNOWN:
        return ARCH_TEXT("LINK_DEVICE_UNKNOWN");
    case LINK_COUNTER_LAST:
        return ARCH_TEXT("LINK_COUNTER_LAST");
    case LINK_COUNTER_OLD:
        return ARCH_TEXT("LINK_COUNTER_OLD");
    case LINK_MIC_CUT:
        return ARCH_TEXT("LINK_MIC_CUT");
    case LINK_MIC_WRONG:
        return ARCH_TEXT("LINK_MIC_WRONG");
    case LINK_COUNTER_NONE:
        return ARCH_TEXT("LINK_COUNTER_NONE");
    case LINK_COUNTER_USED_UP:
        return ARCH_TEXT("LINK_COUNTER_USED_UP");
    default:
        return ARCH_TEXT("no refusal of the system");
    }
}
