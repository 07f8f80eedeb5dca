/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/security/frame.h"

#include <string.h>

#include "net/security/devices.h"

#define COUNTER_LAST UINT32_MAX

/* The nonce: who sends, the counter, and the level. */
static void make_nonce(const struct security_pass *pass, uint8_t nonce[CCM_NONCE_BYTES])
{
    memcpy(nonce, pass->sender, LINK_EXTENDED_BYTES);
    for (uint8_t i = 0; i < 4; i++) {
        nonce[LINK_EXTENDED_BYTES + i] = (uint8_t)(pass->counter >> (24 - 8 * i));
    }
    nonce[CCM_NONCE_BYTES - 1] = pass->level;
}

/* Where nothing is enciphered, private bytes are authenticated as open ones are. */
static bool enciphers(const struct security_pass *pass)
{
    return pass->level >= LINK_LEVEL_ENC;
}

static void begin(struct security_pass *pass, uint16_t open_bytes, uint16_t private_bytes)
{
    uint8_t nonce[CCM_NONCE_BYTES];

    make_nonce(pass, nonce);
    if (!enciphers(pass)) {
        open_bytes += private_bytes;
        private_bytes = 0;
    }
    ccm_begin(&pass->ccm, &pass->key, nonce, open_bytes, private_bytes,
              security_mic_bytes(pass->level));
}

/* Copies the key of a name, if it is used with this level. */
static enum link_refusal find_key(struct security_pass *pass, const struct link_key_name *name)
{
    const struct link_key *key = security_key_find(pass->security, name);

    if (!key) {
        return LINK_KEY_UNKNOWN;
    }
    if (!(key->levels & LINK_LEVELS(pass->level))) {
        return LINK_LEVEL_REFUSED;
    }
    memcpy(pass->key.bytes, key->bytes, LINK_KEY_BYTES);
    return LINK_GOOD;
}

static enum link_refusal take_counter(struct security_pass *pass)
{
    int error = counter_take(pass->security->counter, &pass->counter);

    return error == 0 ? LINK_GOOD : error == ERR_FULL ? LINK_COUNTER_USED_UP : LINK_COUNTER_NONE;
}

enum link_refusal security_outgoing_begin(struct security_pass *pass,
                                          struct link_security *security,
                                          const struct security_outgoing *frame,
                                          struct security_header *header)
{
    enum link_refusal refusal = security_level_check(frame->level);

    pass->security = security;
    pass->level = frame->level;
    pass->is_outgoing = true;
    if (refusal == LINK_GOOD) {
        security_lock(security);
        refusal = find_key(pass, frame->key);
        security_unlock(security);
    }
    if (refusal == LINK_GOOD) {
        refusal = take_counter(pass);
    }
    if (refusal == LINK_GOOD) {
        memcpy(pass->sender, frame->sender, LINK_EXTENDED_BYTES);
        *header = (struct security_header){
            .counter = pass->counter, .key = *frame->key, .level = frame->level};
        begin(pass, frame->open_bytes, frame->private_bytes);
    }
    return refusal;
}

/* Finds the sender. */
static enum link_refusal find_sender(struct security_pass *pass,
                                     const struct security_incoming *frame)
{
    const uint8_t *extended = frame->extended;

    if (!extended && frame->short_address != ADDRESS_NONE) {
        const struct link_device *device =
            security_device_find_short(pass->security, frame->pan, frame->short_address);
        extended = device ? device->extended : 0;
    }
    if (!extended) {
        return LINK_DEVICE_UNKNOWN;
    }
    memcpy(pass->sender, extended, LINK_EXTENDED_BYTES);
    return LINK_GOOD;
}

static enum link_refusal check_counter(const struct security_pass *pass)
{
    if (pass->counter == COUNTER_LAST) {
        return LINK_COUNTER_LAST;
    }
    const struct link_device *device = security_device_find(pass->security, pass->sender);
    return pass->counter < security_device_least(pass->security, device) ? LINK_COUNTER_OLD
                                                                         : LINK_GOOD;
}

static enum link_refusal look_up(struct security_pass *pass, const struct security_incoming *frame,
                                 const struct link_key_name *key)
{
    enum link_refusal refusal = find_key(pass, key);

    if (refusal == LINK_GOOD) {
        refusal = find_sender(pass, frame);
    }
    return refusal == LINK_GOOD ? check_counter(pass) : refusal;
}

enum link_refusal security_incoming_begin(struct security_pass *pass,
                                          struct link_security *security,
                                          const struct security_incoming *frame,
                                          const struct security_header *header)
{
    uint8_t mic_bytes = security_mic_bytes(header->level);
    enum link_refusal refusal = security_level_check(header->level);

    pass->security = security;
    pass->level = header->level;
    pass->counter = header->counter;
    pass->is_outgoing = false;
    if (refusal == LINK_GOOD && frame->other_bytes < mic_bytes) {
        refusal = LINK_MIC_CUT;
    }
    if (refusal == LINK_GOOD) {
        security_lock(security);
        refusal = look_up(pass, frame, &header->key);
        security_unlock(security);
    }
    if (refusal == LINK_GOOD) {
        begin(pass, frame->open_bytes, frame->other_bytes - mic_bytes);
    }
    return refusal;
}

void security_open(struct security_pass *pass, const uint8_t *bytes, uint16_t length)
{
    ccm_header(&pass->ccm, bytes, length);
}

void security_private(struct security_pass *pass, uint8_t *bytes, uint16_t length)
{
    if (!enciphers(pass)) {
        ccm_header(&pass->ccm, bytes, length);
    } else if (pass->is_outgoing) {
        ccm_encrypt(&pass->ccm, bytes, length);
    } else {
        ccm_decrypt(&pass->ccm, bytes, length);
    }
}

void security_outgoing_end(struct security_pass *pass, uint8_t *mic)
{
    ccm_tag(&pass->ccm, mic);
}

/* The counter is looked at again: the devices may have changed since the beginning. */
enum link_refusal security_incoming_end(struct security_pass *pass, const uint8_t *mic)
{
    if (!ccm_check(&pass->ccm, mic)) {
        return LINK_MIC_WRONG;
    }
    security_lock(pass->security);
    enum link_refusal refusal = check_counter(pass);
    if (refusal == LINK_GOOD) {
        security_device_accept(pass->security, pass->sender, pass->counter + 1);
    }
    security_unlock(pass->security);
    return refusal;
}
