/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "fields.h"

const ARCH_FLASH uint8_t fields_by_kind[MACHINE_KINDS] = {
    [1] = SHAPE_BL_FIRST | FIELD_WIDE | FIELD_CALL,
    [2] = SHAPE_WORD_LOW | FIELD_WIDE,
    [3] = SHAPE_WORD_LOW | FIELD_WIDE | FIELD_CALL,
};
