/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Settings, and the address by the serial number. */
#include <lichen/serial_number.h>

#include "base/hash.h"
#include "net/byte_link/byte_link.h"

#pragma weak byte_link_refill

enum {
    CHANNEL_USUAL = 2, /* 434.845 MHz */
    CHANNEL_LAST = 3,
    RATES = 2,
    FLAGS_POSSIBLE = LINK_SLEEPS | LINK_RECEIVES_IN_BACKOFF,
};

struct byte_link_state byte_link_state;

/* What the driver calls. */
__asm__(".global byte_link_next");

void byte_link_listen(uint8_t listener, bool listens)
{
    if (listens) {
        byte_link_state.listeners |= listener;
    } else {
        byte_link_state.listeners &= (uint8_t)~listener;
    }
    cc1000_settings.listens = byte_link_state.listeners != 0;
    cc1000_driver_serve();
}

static int make_address(uint16_t *address)
{
    uint8_t number[SERIAL_NUMBER_BYTES];
    int error = serial_number_read(number);

    if (error == 0) {
        uint32_t once = hash(HASH_BEGIN, number, sizeof(number));
        *address = hash_fold(hash(once, number, sizeof(number)));
        if (*address == 0 || *address >= LINK_EXTENDED) {
            *address ^= 0x5555u;
        }
    }
    return error;
}

static bool are_possible(const struct link_settings *settings)
{
    return settings->channel <= CHANNEL_LAST && settings->rate < RATES &&
           (settings->flags & ~FLAGS_POSSIBLE) == 0 && settings->level == LINK_LEVEL_NONE &&
           settings->pan <= UINT8_MAX && settings->short_address != LINK_EXTENDED;
}

static void adopt(void *settings_)
{
    const struct link_settings *settings = settings_;

    byte_link_state.own = settings->short_address;
    byte_link_state.group = (uint8_t)settings->pan;
    cc1000_settings.channel =
        settings->channel == LINK_CHANNEL_USUAL ? CHANNEL_USUAL : settings->channel;
    cc1000_settings.dbm = settings->dbm;
    cc1000_settings.rate = settings->rate;
    cc1000_settings.is_changed = true;
    byte_link_state.is_open = true;
    if (byte_link_refill != 0) {
        byte_link_refill();
    }
    byte_link_listen(LISTENS_ALWAYS, (settings->flags & LINK_SLEEPS) == 0);
}

int link_open(const struct link_settings *given)
{
    struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = LINK_ALL};
    int error = 0;

    if (given != 0) {
        settings = *given;
    }
    if (!are_possible(&settings)) {
        return ERR_INVALID;
    }
    if (settings.short_address == LINK_ALL) {
        error = make_address(&settings.short_address);
    }
    if (error == 0) {
        kernel_do(adopt, &settings);
    }
    return error;
}

void link_own(struct link_address *address)
{
    *address = link_short(byte_link_state.own);
}

bool link_same(const struct link_address *one, const struct link_address *other)
{
    return one->short_address == other->short_address;
}
