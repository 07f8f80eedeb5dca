/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Settings, and addresses by the serial number. */
#include <string.h>

#include <lichen/serial_number.h>

#include "base/hash.h"
#include "net/link/format.h"
#include "net/link/guard.h"
#include "net/link/headers.h"
#include "net/link/sequence.h"

#pragma weak link_guard_reserve
#pragma weak link_headers_parse

struct link_state link_state;

/* The extended address is a local one (bit 1 of its first byte) of one mote (bit 0 clear). */
static int make_addresses(uint16_t *short_address)
{
    uint8_t number[SERIAL_NUMBER_BYTES];
    int error = serial_number_read(number);

    if (error == 0) {
        uint32_t first = hash(HASH_BEGIN, number, sizeof(number));
        uint32_t second = hash(first, number, sizeof(number));
        for (uint8_t i = 0; i < 4; i++) {
            link_state.extended[i] = (uint8_t)(first >> 8 * i);
            link_state.extended[4 + i] = (uint8_t)(second >> 8 * i);
        }
        link_state.extended[0] = (link_state.extended[0] & 0xfcu) | 2u;
        *short_address = hash_fold(second);
        if (*short_address == 0 || *short_address >= LINK_EXTENDED) {
            *short_address ^= 0x5555u;
        }
    }
    return error;
}

int link_tune(void)
{
    const struct link_settings *settings = &link_state.settings;
    struct radio_settings radio = {.channel = settings->channel,
                                   .dbm = settings->dbm,
                                   .rate = settings->rate,
                                   .pan = settings->pan,
                                   .short_address = settings->short_address};

    if (link_headers_parse != 0) {
        for (uint8_t i = 0; i < LINK_EXTENDED_BYTES; i++) {
            radio.extended_address[i] = link_state.extended[LINK_EXTENDED_BYTES - 1 - i];
        }
    }
    if (settings->short_address == LINK_EXTENDED) {
        radio.short_address = UINT16_MAX;
    }
    if (link_radio_can(RADIO_CAN_FILTER)) {
        radio.flags = RADIO_FILTER;
        radio.flags |= settings->flags & LINK_COORDINATOR ? RADIO_COORDINATOR : 0;
        if (link_radio_can(RADIO_CAN_ACKNOWLEDGE)) {
            radio.flags |= RADIO_ACKNOWLEDGE | RADIO_ACKNOWLEDGE_2015;
            radio.flags |= link_state.says_pending ? RADIO_PENDING : 0;
        }
    }
    return radio_set(&radio);
}

void link_listen(uint8_t listener, bool listens)
{
    if (listens) {
        link_state.listeners |= listener;
    } else {
        link_state.listeners &= (uint8_t)~listener;
    }
    radio_listen(link_state.listeners != 0);
}

/* What the settings leave open. */
static int complete(struct link_settings *settings)
{
    uint16_t by_number = LINK_EXTENDED;
    int error = make_addresses(&by_number);

    if (settings->channel == LINK_CHANNEL_USUAL) {
        settings->channel = link_format_channel;
    }
    if (settings->short_address == LINK_ALL) {
        settings->short_address = by_number;
    } else if (settings->short_address != LINK_EXTENDED && settings->level == LINK_LEVEL_NONE) {
        error = 0; /* nothing needs the extended one */
    }
    return error;
}

/* At the kernel level, so that the link's threads see all of the old settings or all of the new. */
static int adopt(void *settings)
{
    struct link_settings old = link_state.settings;

    link_state.settings = *(const struct link_settings *)settings;
    int error = link_tune();
    if (error != 0) {
        link_state.settings = old;
    } else {
        link_state.is_open = true;
        link_listen(LINK_LISTENS_ALWAYS, (link_state.settings.flags & LINK_SLEEPS) == 0);
    }
    return error;
}

int link_open(const struct link_settings *given)
{
    struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = LINK_ALL};

    if (given != 0) {
        settings = *given;
    }
    if (!link_format_allows(&settings)) {
        return ERR_INVALID;
    }
    int error = complete(&settings);
    if (error == 0 && settings.level != LINK_LEVEL_NONE) {
        error = link_guard_reserve();
    }
    if (error == 0) {
        sleep_until_us(LINK_SEQUENCE_SILENCE_US);
        error = kernel_run(adopt, &settings);
    }
    return error;
}

void link_own(struct link_address *address)
{
    address->short_address = link_state.settings.short_address;
    memcpy(address->extended, link_state.extended, LINK_EXTENDED_BYTES);
}

bool link_same(const struct link_address *one, const struct link_address *other)
{
    return one->short_address == other->short_address &&
           (one->short_address != LINK_EXTENDED ||
            memcmp(one->extended, other->extended, LINK_EXTENDED_BYTES) == 0);
}
