/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "pair.h"

#include <string.h>

#include "../storage_faults/played_medium.h"
#include "test.h"

LINK_SECURITY(security, KEYS, DEVICES);

const uint8_t key[LINK_KEY_BYTES] = {0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7,
                                     0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf};
const struct link_key_name by_index = {.mode = LINK_KEY_INDEX, .index = 1};

struct security_pass pass;
struct security_header header;
uint8_t frame[ROOM];
uint8_t sender[LINK_EXTENDED_BYTES] = {0xac, 0xde, 0x48, 0, 0, 0, 0, 1};
uint8_t level;

void restart(void)
{
    played_restart();
    security_counter.is_open = false;
    link_devices_forget(&security);
    for (unsigned i = 0; i < KEYS; i++) {
        security.keys[i].levels = 0;
    }
    sender[7] = 1;
    level = LINK_LEVEL_ENC_MIC_32;
}

void renew(void)
{
    played_renew();
    restart();
    expect_equal(link_key_set(&security, &by_index, key, LINK_LEVELS_USUAL), 0);
    expect_equal(counter_reserve(security.counter), 0);
}

enum link_refusal send(const struct link_key_name *name)
{
    struct security_outgoing out = {.key = name,
                                    .sender = sender,
                                    .open_bytes = OPEN,
                                    .private_bytes = PRIVATE,
                                    .level = level};
    enum link_refusal refusal = security_outgoing_begin(&pass, &security, &out, &header);

    if (refusal == LINK_GOOD) {
        for (unsigned i = 0; i < OPEN + PRIVATE; i++) {
            frame[i] = (uint8_t)(3 * i);
        }
        security_header_write(&header, frame + 5);
        security_open(&pass, frame, OPEN);
        security_private(&pass, frame + OPEN, PRIVATE);
        security_outgoing_end(&pass, frame + OPEN + PRIVATE);
    }
    return refusal;
}

enum link_refusal receive_from(struct security_incoming in, uint16_t other_bytes)
{
    static uint8_t received[ROOM];
    struct security_header read;

    in.open_bytes = OPEN;
    in.other_bytes = other_bytes;
    memcpy(received, frame, ROOM);
    enum link_refusal refusal = security_header_read(received + 5, OPEN - 5, &read);
    if (refusal == LINK_GOOD) {
        refusal = security_incoming_begin(&pass, &security, &in, &read);
    }
    if (refusal == LINK_GOOD) {
        uint16_t private_bytes = other_bytes - security_mic_bytes(read.level);
        security_open(&pass, received, OPEN);
        security_private(&pass, received + OPEN, private_bytes);
        refusal = security_incoming_end(&pass, received + OPEN + private_bytes);
    }
    for (unsigned i = OPEN; refusal == LINK_GOOD && i < OPEN + PRIVATE; i++) {
        expect_equal(received[i], (uint8_t)(3 * i));
    }
    return refusal;
}

enum link_refusal receive(void)
{
    struct security_incoming in = {.extended = sender};

    return receive_from(in, PRIVATE + security_mic_bytes(level));
}

void send_and_receive(void)
{
    expect_equal(send(&by_index), LINK_GOOD);
    expect_equal(receive(), LINK_GOOD);
}
