/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "base/text.h"

#include <lichen/arch.h>

bool text_is_same(const char *one, const char *other)
{
    for (; arch_text(one) == arch_text(other); one++, other++) {
        if (arch_text(one) == '\0') {
            return true;
        }
    }
    return false;
}
