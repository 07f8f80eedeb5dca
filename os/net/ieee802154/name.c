/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/ieee802154/frame.h"

const char *frame_refusal_name(enum frame_refusal refusal)
{
    switch (refusal) {
    case FRAME_GOOD:
        return ARCH_TEXT("good");
    case FRAME_TOO_SHORT:
        return ARCH_TEXT("too short");
    case FRAME_TOO_LONG:
        return ARCH_TEXT("too long");
    case FRAME_RESERVED_TYPE:
        return ARCH_TEXT("reserved type");
    case FRAME_MULTIPURPOSE:
        return ARCH_TEXT("multipurpose");
    case FRAME_FRAGMENT:
        return ARCH_TEXT("fragment");
    case FRAME_EXTENDED:
        return ARCH_TEXT("extended");
    case FRAME_RESERVED_VERSION:
        return ARCH_TEXT("reserved version");
    case FRAME_RESERVED_ADDRESS:
        return ARCH_TEXT("reserved addressing mode");
    case FRAME_NO_ADDRESSES:
        return ARCH_TEXT("no addresses");
    case FRAME_COMPRESSION:
        return ARCH_TEXT("wrong PAN ID compression");
    case FRAME_BAD_ACK:
        return ARCH_TEXT("wrong acknowledgment");
    case FRAME_OLD_SECURITY:
        return ARCH_TEXT("security of 2003");
    case FRAME_NO_MIC:
        return ARCH_TEXT("too short for its MIC");
    case FRAME_BAD_HEADER_IE:
        return ARCH_TEXT("wrong header IE");
    case FRAME_BAD_PAYLOAD_IE:
        return ARCH_TEXT("wrong payload IE");
    case FRAME_NOT_IN_VERSION:
        return ARCH_TEXT("not in this version");
    case FRAME_BAD_PHY_LENGTH:
        return ARCH_TEXT("wrong PHY length");
    case FRAME_BAD_FCS:
        return ARCH_TEXT("wrong FCS");
    default:
        return ARCH_TEXT("unknown reason");
    }
}
