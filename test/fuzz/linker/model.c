/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What doc/spec/container.md says, by somebody who has the whole container, and all the memory. */
#include <string.h>

#include "../host/host.h"
#include "linker.h"

struct input {
    const uint8_t *bytes;
    size_t at, length;
};

static bool take(struct input *input, unsigned *byte)
{
    if (input->at == input->length) {
        return false;
    }
    *byte = input->bytes[input->at++];
    return true;
}

/* -------- header, name, records */

static unsigned u16(const uint8_t *bytes)
{
    return bytes[0] | (unsigned)bytes[1] << 8;
}

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
    bool good = first[4] <= 6 && first[4] % 4 != 3 && first[5] % 4 == 0 && first[28] >= 1 &&
                first[28] <= 15 && first[5] >= 30 + first[28] && first[29] == 0 && sum <= 65533 &&
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

static enum load_error read_records(struct input *input, size_t end, uint16_t *groups)
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
        if ((kind > 1 && kind < 128) || input->at == end) {
            return LOAD_RECORD;
        }
        if (!take(input, &length)) {
            return LOAD_LENGTH;
        }
        if (length > end - input->at) {
            return LOAD_RECORD;
        }
        if (kind == 1) {
            enum load_error error = read_groups(input, length, groups);
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
    }
    return LOAD_OK;
}

static enum load_error read_header(struct input *input, uint16_t *groups)
{
    unsigned byte;

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
    return read_records(input, input->bytes[5], groups);
}

/* -------- the stream */

struct token {
    unsigned kind, base;
    unsigned literals;
    uint64_t value;
};

struct state {
    struct input input;
    struct outcome *outcome;
    const uint8_t *header;
    uint16_t groups;
    int64_t last[4];
    size_t ends[3]; /* of constants, code and initial values, in halfwords */
};

static enum load_error take_number(struct input *input, unsigned *number)
{
    *number = 0;
    for (unsigned digit = 0; digit < 3; digit++) {
        unsigned byte;
        if (!take(input, &byte)) {
            return LOAD_LENGTH;
        }
        if (digit == 2 && byte > 7) {
            return LOAD_TOKEN;
        }
        *number += (byte & 127) << (7 * digit);
        if (byte < 128) {
            break;
        }
    }
    return LOAD_OK;
}

static enum load_error take_call(struct state *state, struct token *token)
{
    unsigned id;
    if (!take(&state->input, &id)) {
        return LOAD_LENGTH;
    }
    token->value = (state->groups >> (id >> CALL_GROUP_BITS) & 1) ? call_address((uint8_t)id) : 0;
    return token->value != 0 ? LOAD_OK : LOAD_CALL;
}

static enum load_error take_distance(struct state *state, struct token *token)
{
    const uint64_t begins[] = {places.code, places.objects, places.data};
    unsigned low, high;
    if (!take(&state->input, &low) || !take(&state->input, &high)) {
        return LOAD_LENGTH;
    }
    int distance = (int16_t)(low | high << 8);
    token->value = begins[token->base - 1] + (uint64_t)(int64_t)distance;
    bool is_bad = token->base != 1 || distance % 2 != 0;
    is_bad = model_kind_of(token->kind).is_function && is_bad;
    return is_bad || distance < -32767 ? LOAD_ADDRESS : LOAD_OK;
}

static enum load_error take_address(struct state *state, struct token *token)
{
    const uint8_t *header = state->header;
    struct model_kind kind = model_kind_of(token->kind);
    int64_t flash = (int64_t)state->ends[2] * 2, objects = u16(header + 16) + u16(header + 18);
    int64_t data = u16(header + 20), line = state->last[kind.last];
    unsigned number;

    enum load_error error = take_number(&state->input, &number);
    if (error != LOAD_OK) {
        return error;
    }
    line += number % 2 != 0 ? -(int64_t)(number / 2) - 1 : (int64_t)(number / 2);
    if (line < 0 || line > flash + 1 + objects + 1 + data) {
        return LOAD_ADDRESS;
    }
    state->last[kind.last] = line;
    if (line <= flash) {
        token->value = places.code + (uint64_t)line;
    } else if (line <= flash + 1 + objects) {
        token->value = places.objects + (uint64_t)(line - flash - 1);
    } else {
        token->value = places.data + (uint64_t)(line - flash - objects - 2);
    }
    return kind.is_function && (line > flash || line % 2 != 0) ? LOAD_ADDRESS : LOAD_OK;
}

static enum load_error take_token(struct state *state, struct token *token)
{
    unsigned byte, number;
    *token = (struct token){0};
    if (!take(&state->input, &byte)) {
        return LOAD_LENGTH;
    }
    token->kind = byte / 32;
    token->literals = byte % 32;
    if (token->literals == 31) {
        enum load_error error = take_number(&state->input, &number);
        if (error != LOAD_OK) {
            return error;
        }
        if (number > 0x7ffd) {
            return LOAD_TOKEN; /* more than a program can have */
        }
        token->literals += number;
    }
    if (token->kind == 0) {
        return LOAD_OK;
    }
    if (token->kind == 7) {
        if (!take(&state->input, &byte)) {
            return LOAD_LENGTH;
        }
        token->kind = byte % 32;
        token->base = byte / 32;
    }
    struct model_kind kind = model_kind_of(token->kind);
    if (kind.halfwords == 0 || token->base > 3 || (kind.is_call && token->base != 0)) {
        return LOAD_TOKEN;
    }
    return kind.is_call       ? take_call(state, token)
           : token->base != 0 ? take_distance(state, token)
                              : take_address(state, token);
}

static bool take_halfword(struct input *input, uint16_t *halfword)
{
    unsigned low, high;
    if (!take(input, &low) || !take(input, &high)) {
        return false;
    }
    *halfword = (uint16_t)(low | high << 8);
    return true;
}

static enum load_error take_field(struct state *state, const struct token *token)
{
    struct outcome *outcome = state->outcome;
    struct model_kind kind = model_kind_of(token->kind);
    size_t at = outcome->halfwords, code = state->ends[0];
    unsigned section = 0;
    while (section < 2 && at >= state->ends[section]) {
        section++;
    }
    if (at + kind.halfwords > state->ends[section]) {
        return LOAD_TOKEN;
    }
    enum model_place where = section == 1 ? IN_CODE : IN_DATA;
    /* Words are aligned where they are read as such. */
    size_t from = section == 2 ? SIZE_MAX : at;
    if (!(kind.where & where) || !model_fits(token->kind, where, outcome->program, from, code)) {
        return LOAD_FIELD;
    }
    for (unsigned index = 0; index < kind.halfwords; index++) {
        uint16_t halfword;
        if (!take_halfword(&state->input, &halfword)) {
            return LOAD_LENGTH;
        }
        if (!model_set(token->kind, token->value, at, index, &halfword)) {
            return LOAD_FIELD;
        }
        outcome->program[outcome->halfwords++] = halfword;
    }
    return LOAD_OK;
}

static enum load_error take_stream(struct state *state)
{
    struct outcome *outcome = state->outcome;
    while (outcome->halfwords < state->ends[2]) {
        struct token token;
        enum load_error error = take_token(state, &token);
        for (; error == LOAD_OK && token.literals > 0; token.literals--) {
            if (outcome->halfwords == state->ends[2]) {
                error = LOAD_TOKEN;
            } else if (!take_halfword(&state->input, &outcome->program[outcome->halfwords])) {
                error = LOAD_LENGTH;
            } else {
                outcome->halfwords++;
            }
        }
        if (error == LOAD_OK && token.kind != 0) {
            error = take_field(state, &token);
        }
        if (error != LOAD_OK) {
            return error;
        }
    }
    return LOAD_OK;
}

void model_stream(const uint8_t *bytes, size_t length, struct outcome *outcome)
{
    struct state state = {
        .input = {bytes, 0, length},
        .outcome = outcome,
        .header = bytes,
    };
    outcome->halfwords = 0;
    outcome->error = read_header(&state.input, &state.groups);
    if (outcome->error == LOAD_OK) {
        size_t end = 0;
        for (unsigned section = 0; section < 3; section++) {
            end += u16(bytes + 10 + 2 * section) / 2;
            state.ends[section] = end;
        }
        if (end > PROGRAM_MAX) {
            outcome->error = LOAD_FLASH_FULL;
        } else {
            outcome->error = take_stream(&state);
        }
    }
    outcome->used = state.input.at;
}
