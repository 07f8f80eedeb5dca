/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What doc/spec/container.md says, by somebody who has the whole container, and all the memory. */
#include <string.h>

#include "../host/host.h"
#include "model.h"

struct token {
    unsigned kind, base;
    unsigned literals;
    bool has_operand;
    uint64_t value; /* of the operand */
};

struct state {
    struct input input;
    struct outcome *outcome;
    const uint8_t *header;
    uint16_t groups;
    size_t ends[3];     /* of constants, code and initial values, in halfwords */
    size_t instruction; /* the last one that is not complete: model_behind */
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

static bool take_halfword(struct input *input, uint16_t *halfword)
{
    unsigned low, high;
    if (!take(input, &low) || !take(input, &high)) {
        return false;
    }
    *halfword = (uint16_t)(low | high << 8);
    return true;
}

static enum load_error find_call(const struct state *state, unsigned number, uint64_t *value)
{
    bool is_there = number < 256 && (state->groups >> (number >> CALL_GROUP_BITS) & 1);
    *value = is_there ? call_address((uint8_t)number) : 0;
    return *value != 0 ? LOAD_OK : LOAD_CALL;
}

static enum load_error find_address(const struct state *state, bool is_function, int64_t line,
                                    uint64_t *value)
{
    const uint8_t *header = state->header;
    int64_t flash = (int64_t)state->ends[2] * 2, objects = u16(header + 16) + u16(header + 18);

    if (line > flash + 1 + objects + 1 + u16(header + 20)) {
        return LOAD_ADDRESS;
    }
    if (line <= flash) {
        *value = places.code + (uint64_t)line;
    } else if (line <= flash + 1 + objects) {
        *value = places.objects + (uint64_t)(line - flash - 1);
    } else {
        *value = places.data + (uint64_t)(line - flash - objects - 2);
    }
    return is_function && (line > flash || line % 2 != 0) ? LOAD_ADDRESS : LOAD_OK;
}

static enum load_error take_operand(struct state *state, struct token *token)
{
    const uint64_t begins[] = {places.code, places.objects, places.data};
    struct model_kind kind = model_kind_of(token->kind);
    uint16_t operand;

    token->has_operand = token->base != 0 || kind.is_byte;
    if (!token->has_operand) {
        return LOAD_OK;
    }
    if (!take_halfword(&state->input, &operand)) {
        return LOAD_LENGTH;
    }
    if (token->base == 0) {
        return find_address(state, kind.is_function, operand, &token->value);
    }
    token->value = begins[token->base - 1] + (uint64_t)(int64_t)(int16_t)operand;
    bool is_bad = kind.is_function && (token->base != 1 || operand % 2 != 0);
    return is_bad || operand == 0x8000 ? LOAD_ADDRESS : LOAD_OK;
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
        token->literals += number;
        if (token->literals > 0x7fff) {
            return LOAD_TOKEN; /* more than a program can have */
        }
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
    return take_operand(state, token);
}

static unsigned section_of(const struct state *state)
{
    unsigned section = 0;
    while (section < 2 && state->outcome->halfwords >= state->ends[section]) {
        section++;
    }
    return section;
}

static enum model_behind behind(struct state *state)
{
    return model_behind(state->outcome->program, &state->instruction, state->outcome->halfwords);
}

/* What a halfword of code becomes that has no token. */
static enum load_error link_code(struct state *state, uint16_t *halfword)
{
    enum model_behind what = behind(state);
    uint64_t value;
    enum load_error error;

    if (what == AN_INSTRUCTION) {
        return model_may_begin(*halfword) ? LOAD_OK : LOAD_FIELD;
    }
    if (*halfword >= 256) {
        error = find_address(state, what == A_FUNCTION, *halfword - 256, &value);
    } else if (what == A_FUNCTION) {
        error = find_call(state, *halfword, &value);
    } else {
        return LOAD_OK;
    }
    *halfword = (uint16_t)(what == A_FUNCTION ? value / 2 : value);
    return error;
}

static enum load_error take_literal(struct state *state)
{
    struct outcome *outcome = state->outcome;
    uint16_t halfword;
    enum load_error error = LOAD_OK;

    if (outcome->halfwords == state->ends[2]) {
        return LOAD_TOKEN;
    }
    if (!take_halfword(&state->input, &halfword)) {
        return LOAD_LENGTH;
    }
    if (section_of(state) == 1) {
        error = link_code(state, &halfword);
    }
    if (error == LOAD_OK) {
        outcome->program[outcome->halfwords++] = halfword;
    }
    return error;
}

/* Halfwords of the field have come, as many as its address needs. */
static enum load_error set_field(struct state *state, const struct token *token, int32_t held,
                                 uint16_t *field)
{
    struct model_kind kind = model_kind_of(token->kind);
    uint64_t value = token->value;
    enum load_error error = LOAD_OK;

    if (token->has_operand) {
        error = held != 0 ? LOAD_FIELD : LOAD_OK;
    } else if (kind.is_call) {
        error = find_call(state, (unsigned)held, &value);
    } else {
        error = find_address(state, kind.is_function, held, &value);
    }
    if (error == LOAD_OK && !model_set(token->kind, value, state->outcome->halfwords, field)) {
        error = LOAD_FIELD;
    }
    return error;
}

static enum load_error take_field(struct state *state, const struct token *token)
{
    struct outcome *outcome = state->outcome;
    struct model_kind kind = model_kind_of(token->kind);
    unsigned section = section_of(state), put = 0;
    size_t at = section == 2 ? SIZE_MAX : outcome->halfwords;
    uint16_t field[2] = {0}, set[2] = {0};

    if (outcome->halfwords + kind.halfwords > state->ends[section]) {
        return LOAD_TOKEN;
    }
    enum model_place where = section == 1 ? IN_CODE : IN_DATA;
    enum model_behind what = where == IN_CODE ? behind(state) : AN_INSTRUCTION;
    /* Words are aligned where they are read as such. */
    if (!(kind.where & where) || !model_fits(token->kind, token->base != 0, where, what, at)) {
        return LOAD_FIELD;
    }
    for (unsigned index = 0; index < kind.halfwords; index++) {
        if (!take_halfword(&state->input, &field[index])) {
            return LOAD_LENGTH;
        }
        int32_t held = model_held(token->kind, index + 1, field);
        if (held < 0) {
            return LOAD_FIELD;
        }
        if (index + 1 < model_wait(token->kind)) {
            continue;
        }
        if (put == 0) {
            memcpy(set, field, sizeof(set));
            enum load_error error = set_field(state, token, held, set);
            if (error != LOAD_OK) {
                return error;
            }
        }
        for (; put <= index; put++) {
            outcome->program[outcome->halfwords++] = set[put];
        }
    }
    return LOAD_OK;
}

static enum load_error take_stream(struct state *state)
{
    while (state->outcome->halfwords < state->ends[2]) {
        struct token token;
        enum load_error error = take_token(state, &token);
        for (; error == LOAD_OK && token.literals > 0; token.literals--) {
            error = take_literal(state);
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
    outcome->error = model_header(&state.input, &state.groups);
    if (outcome->error == LOAD_OK) {
        size_t end = 0;
        for (unsigned section = 0; section < 3; section++) {
            end += u16(bytes + 10 + 2 * section) / 2;
            state.ends[section] = end;
        }
        state.instruction = state.ends[0];
        if (end > PROGRAM_MAX) {
            outcome->error = LOAD_FLASH_FULL;
        } else {
            outcome->error = take_stream(&state);
        }
    }
    outcome->used = state.input.at;
}
