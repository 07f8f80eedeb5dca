/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A secured link that sends, for a host that cuts the power at any moment
 * (host/cli/tests/command/counter_cuts.rs). It prints what test/storage/numbers prints:
 *
 *     took 3072 3073    frames were sent with each counter from the first to the last
 *     failed ...        never right
 *
 * Counters are skipped, so that the link has to reserve a block every few frames.
 */
#include <lichen/am.h>
#include <lichen/print.h>
#include <lichen/thread.h>

enum {
    TYPE = 6,
    AT_ONCE = 2,
    LEFT = COUNTER_BLOCK / 4, /* the link reserves though it sends without a pause, */
    NONE = 0,                 /* or before the next frame can be sent */
};

LINK_SECURED(1, 1);
PACKET_POOL(ARCH_FLASH_IS_APART ? 4 : 16);
LINK_NEIGHBOURS(1);

static void fail(const char *what, int error)
{
    print("failed to %s: error %d\n", what, error);
}

static int start(void)
{
    static const uint8_t key[LINK_KEY_BYTES] = {1, 2, 3};
    static const struct link_settings settings = {.pan = LINK_PAN_USUAL,
                                                  .short_address = 1,
                                                  .level = LINK_LEVEL_ENC_MIC_32,
                                                  .key = {.mode = LINK_KEY_INDEX, .index = 1}};
    int error = link_key_set(&link_security, &settings.key, key, LINK_LEVELS_USUAL);

    return error == 0 ? link_open(&settings) : error;
}

/* Nothing else takes counters. */
static void send_some(unsigned count)
{
    uint32_t first = link_security_counter.next;

    for (unsigned i = 0; i < count; i++) {
        int error = am_send(AM_ALL, TYPE, &i, 1);
        if (error != 0) {
            fail(TEXT("send"), error);
            return;
        }
    }
    print("took %lu %lu\n", (unsigned long)first, (unsigned long)link_security_counter.next - 1);
}

static void skip(uint32_t left)
{
    if (link_security_counter.limit - link_security_counter.next > left) {
        link_security_counter.next = link_security_counter.limit - left;
    }
}

THREAD(sender, ARCH_FLASH_IS_APART ? 400 : 640, PRIORITY_APP)
{
    int error = start();

    if (error != 0) {
        fail(TEXT("start"), error);
    }
    for (;;) {
        send_some(AT_ONCE);
        skip(LEFT);
        send_some(AT_ONCE);
        skip(NONE);
        send_some(1);
    }
}
