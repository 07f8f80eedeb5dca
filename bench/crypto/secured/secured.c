/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames of 100 bytes at level 5, with a key of an index: 15 bytes of the MAC's header, 6 of the
 * security header, a text of 75, a MIC of 4.
 *
 *   send_call .. send_return            one that is sent, from its counter to its MIC
 *   receive_call .. receive_return      one that is received, from its security header to its MIC
 *   replay_call .. replay_return        the same frame again, which is refused
 */
#include <lichen/link_security.h>
#include <lichen/panic.h>
#include <lichen/thread.h>

#include <string.h>

#include "../../kernel/mark.h"
#include "net/security/frame.h"

enum {
    HEADER_AT = 15,
    OPEN = 21,
    TEXT = 75,
    MIC = 4,
    DEVICES = 8,
};

LINK_SECURITY(security, 2, DEVICES);

static const struct link_key_name name = {.mode = LINK_KEY_INDEX, .index = 1};
static const uint8_t key[LINK_KEY_BYTES] = {1, 2, 3}, sender[LINK_EXTENDED_BYTES] = {4, 5, 6};
static struct security_pass pass;
static uint8_t frame[OPEN + TEXT + MIC];
static volatile enum link_refusal refusal;

static __attribute__((noinline)) void transmit(void)
{
    static const struct security_outgoing out = {
        .key = &name, .sender = sender, .open_bytes = OPEN, .private_bytes = TEXT, .level = 5};
    struct security_header header;

    BENCH_MARK(send_call);
    refusal = security_outgoing_begin(&pass, &security, &out, &header);
    security_header_write(&header, frame + HEADER_AT);
    security_open(&pass, frame, OPEN);
    security_private(&pass, frame + OPEN, TEXT);
    security_outgoing_end(&pass, frame + OPEN + TEXT);
    BENCH_MARK(send_return);
}

static enum link_refusal begin(void)
{
    static const struct security_incoming in = {
        .extended = sender, .open_bytes = OPEN, .other_bytes = TEXT + MIC};
    struct security_header header;
    enum link_refusal read =
        security_header_read(frame + HEADER_AT, sizeof(frame) - HEADER_AT, &header);

    return read == LINK_GOOD ? security_incoming_begin(&pass, &security, &in, &header) : read;
}

static __attribute__((noinline)) void receive(void)
{
    BENCH_MARK(receive_call);
    refusal = begin();
    security_open(&pass, frame, OPEN);
    security_private(&pass, frame + OPEN, TEXT);
    refusal = security_incoming_end(&pass, frame + OPEN + TEXT);
    BENCH_MARK(receive_return);
}

static __attribute__((noinline)) void replay(void)
{
    BENCH_MARK(replay_call);
    refusal = begin();
    BENCH_MARK(replay_return);
}

static void expect(enum link_refusal wanted)
{
    if (refusal != wanted) {
        panic(refusal);
    }
}

THREAD(link, 400, PRIORITY_APP)
{
    if (link_key_set(&security, &name, key, LINK_LEVELS_USUAL) != 0) {
        panic(0);
    }
    /* Storage is not measured: as if a block had been reserved. */
    security_counter.limit = COUNTER_END;
    security_counter.is_open = true;
    for (;;) {
        transmit();
        receive();
        expect(LINK_GOOD);
        replay();
        expect(LINK_COUNTER_OLD);
    }
}
