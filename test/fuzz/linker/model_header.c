/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The model of a header, its name and its records. */
#include <string.h>

#include "model.h"

static enum load_error check_first(const uint8_t *first)
{
    unsigned sum = 0, tables = 0;

    if (first[0] != 0x4c || first[1] != 0xf0 || first[2] != 1) {
        return LOAD_NOT_A_CONTAINER;
    }
    if (first[3] != model_machine.machine) {
        return LOAD_MACHINE;
    }
    for (unsigned at = 10; at < 22; at += 2) {
        unsigned align = at < 16 ? 2 : model_machine.aligned[(at - 16) / 2];
        if (u16(first + at) % align != 0) {
            return LOAD_HEADER;
        }
        sum += u16(first + at);
    }
    for (unsigned row = 0; row < 5; row++) {
        tables += first[22 + row] * model_machine.rows[row];
    }
    tables += first[29] * model_machine.rows[6];
    bool good = first[4] <= 6 && first[4] % 4 != 3 && first[5] % 4 == 0 && first[28] >= 1 &&
                first[28] <= 15 && first[5] >= 30 + first[28] &&
                (first[29] == 0 || first[4] % 4 == 0) && sum <= 65277 &&
                tables <= u16(first + 10) && first[27] * model_machine.rows[5] <= u16(first + 16);
    return good ? LOAD_OK : LOAD_HEADER;
}

static bool is_in_name(unsigned byte, bool is_first)
{
    static const char most[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    const char *found = byte != 0 ? strchr(most, (int)byte) : 0;
    return found != 0 && (!is_first || found < most + 52);
}

static enum load_error read_groups(struct input *input, unsigned length, uint16_t *groups)
{
    for (unsigned at = 0; at < length; at += 3) {
        unsigned group, low, high;
        if (length - at < 3) {
            /* The bytes that are there are taken first. */
            for (; at < length; at++) {
                if (!take(input, &low)) {
                    return LOAD_LENGTH;
                }
            }
            return LOAD_RECORD;
        }
        if (!take(input, &group) || !take(input, &low) || !take(input, &high)) {
            return LOAD_LENGTH;
        }
        if (group > 15 || group == GROUP_ABSENT ||
            group_fingerprint((uint8_t)group) != (low | high << 8)) {
            return LOAD_GROUP;
        }
        *groups |= (uint16_t)(1u << group);
    }
    return LOAD_OK;
}

static enum load_error read_stack(struct input *input, unsigned length, unsigned *stack)
{
    unsigned low, high;

    if (length != 2) {
        return LOAD_RECORD;
    }
    if (!take(input, &low) || !take(input, &high)) {
        return LOAD_LENGTH;
    }
    *stack = low | high << 8;
    return LOAD_OK;
}

static enum load_error read_records(struct input *input, size_t end, uint16_t *groups,
                                    unsigned *stack)
{
    unsigned kind, length, skipped;

    while (input->at < end) {
        if (!take(input, &kind)) {
            return LOAD_LENGTH;
        }
        if (kind == 0) {
            while (input->at < end) {
                if (!take(input, &skipped)) {
                    return LOAD_LENGTH;
                }
                if (skipped != 0) {
                    return LOAD_RECORD;
                }
            }
            return LOAD_OK;
        }
        if ((kind > 3 && kind < 128) || input->at == end) {
            return LOAD_RECORD;
        }
        if (!take(input, &length)) {
            return LOAD_LENGTH;
        }
        if (length > end - input->at || (kind == 3 && length == 0)) {
            return LOAD_RECORD;
        }
        if (kind <= 2) {
            enum load_error error =
                kind == 1 ? read_groups(input, length, groups) : read_stack(input, length, stack);
            if (error != LOAD_OK) {
                return error;
            }
            continue;
        }
        for (; length > 0; length--) {
            if (!take(input, &skipped)) {
                return LOAD_LENGTH;
            }
        }
        /* The image of check.c has no partitions. */
        if (kind == 3) {
            return LOAD_PARTITION;
        }
    }
    return LOAD_OK;
}

enum load_error model_header(struct input *input, uint16_t *groups)
{
    unsigned byte, stack = 0;

    if (input->length < 30) {
        input->at = input->length;
        return LOAD_LENGTH;
    }
    input->at = 30;
    enum load_error error = check_first(input->bytes);
    if (error != LOAD_OK) {
        return error;
    }
    for (unsigned at = 0; at < input->bytes[28]; at++) {
        if (!take(input, &byte)) {
            return LOAD_LENGTH;
        }
        if (!is_in_name(byte, at == 0)) {
            return LOAD_HEADER;
        }
    }
    error = read_records(input, input->bytes[5], groups, &stack);
    bool is_known = (stack != 0) == (input->bytes[29] != 0);
    return error == LOAD_OK && !is_known ? LOAD_RECORD : error;
}
