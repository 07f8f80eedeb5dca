/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "fake_driver.h"

#include <string.h>

#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/kernel.h>
#include <lichen/timer.h>

struct fake fake;
struct cc1000_settings cc1000_settings;
struct cc1000_frame cc1000_frame;

static uint8_t *into; /* 0: no memory */
static uint8_t room;
static bool has_frame, is_on_air;

EVENT_EXTERN(fake_air_over);
static TIMER(air, fake_air_over);

void fake_renew(void)
{
    fake.fate_count = 0;
    fake.cut = 0;
    fake.changed = 0;
    fake.least_backoff = UINT8_MAX;
    fake.most_backoff = 0;
}

void fake_plan(uint8_t fate, uint8_t times)
{
    for (; times > 0; times--) {
        fake.fates[fake.fate_count++] = fate;
    }
}

static uint8_t next_fate(void)
{
    uint8_t fate = fake.fates[0];

    if (fake.fate_count == 0) {
        return FAKE_ARRIVES;
    }
    fake.fate_count--;
    memmove(fake.fates, fake.fates + 1, fake.fate_count);
    return fate;
}

static void back_off(void)
{
    uint8_t bytes = cc1000_user_waits(true);

    if (bytes < fake.least_backoff) {
        fake.least_backoff = bytes;
    }
    if (bytes > fake.most_backoff) {
        fake.most_backoff = bytes;
    }
}

static void remember(void)
{
    fake.sent++;
    fake.flags = cc1000_frame.flags;
    fake.length = (uint8_t)(cc1000_frame.head_length + cc1000_frame.payload_length);
    memcpy(fake.bytes, cc1000_frame.head, cc1000_frame.head_length);
    memcpy(fake.bytes + cc1000_frame.head_length, cc1000_frame.payload,
           cc1000_frame.payload_length);
}

static bool has_changed(void)
{
    return memcmp(fake.bytes, cc1000_frame.head, cc1000_frame.head_length) != 0 ||
           memcmp(fake.bytes + cc1000_frame.head_length, cc1000_frame.payload,
                  cc1000_frame.payload_length) != 0;
}

static void end(uint8_t result)
{
    has_frame = cc1000_user_sent(result);
    cc1000_driver_serve();
}

static uint8_t fate;

EVENT(fake_air_over)
{
    if (!is_on_air) {
        return; /* it was cut off */
    }
    is_on_air = false;
    fake.changed += has_changed();
    cc1000_user_left();
    end(fate == FAKE_FAILS                                                    ? ERR_IO
        : fate == FAKE_UNACKNOWLEDGED && (cc1000_frame.flags & CC1000_AWAITS) ? ERR_NO_ACK
                                                                              : 0);
}

EVENT(fake_serve)
{
    if (is_on_air || (!has_frame && !cc1000_user_next())) {
        return;
    }
    has_frame = true;
    back_off();
    fate = next_fate();
    if (fate == FAKE_BUSY) {
        end(ERR_CHANNEL);
    } else if (cc1000_user_goes()) {
        remember();
        is_on_air = true;
        (void)!timer_arm_after(&air, FAKE_AIR_MS * TIME_US_PER_MS);
    } else {
        has_frame = false;
        cc1000_driver_serve();
    }
}

void cc1000_driver_serve(void)
{
    event_post(&fake_serve);
}

void cc1000_transmit_cut(void)
{
    if (is_on_air) {
        fake.cut++;
        is_on_air = has_frame = false;
        cc1000_driver_serve();
    }
}

void cc1000_receive_into(uint8_t *bytes, uint8_t payload)
{
    into = bytes;
    room = payload;
}

int8_t cc1000_channel_dbm(void)
{
    return -60;
}

static int receive(void *bytes, void *length)
{
    uint8_t *frame = into;

    if (frame == 0) {
        cc1000_user_note(CC1000_OVERFLOWED);
        return FAKE_MISSED;
    }
    memcpy(frame, bytes, *(const uint8_t *)length);
    into = 0;
    return cc1000_user_received(frame) ? FAKE_ACKED : FAKE_NOT_ACKED;
}

enum fake_reception fake_receive(const void *bytes, uint8_t length)
{
    return (enum fake_reception)kernel_run_with(receive, (void *)(uintptr_t)bytes, &length);
}
