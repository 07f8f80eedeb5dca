/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An image that uses neither the link nor a log has both for programs: a message is sent by calls
 * alone.
 */
#include <lichen/am.h>
#include <lichen/print.h>

#include "load/calls.h"
#include "load/linker.h"
#include "test.h"

extern const ARCH_FLASH struct calls calls_begin[], calls_end[];

static call_fn *function_of(uint8_t id)
{
    uintptr_t address = linker_call(id);

    expect(address != 0);
    return (call_fn *)(ARCH_FLASH_IS_APART ? address / 2 : address);
}

typedef int open_fn(const struct link_settings *settings);
typedef int send_fn(uint16_t destination, uint8_t type, const void *payload, uint8_t length);
typedef int loss_fn(unsigned index, struct link_loss *loss);
typedef void count_fn(struct link_counters *counters);
typedef uint16_t version_fn(void);

TEST(a_message_is_sent_by_calls_alone)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = 7};
    struct link_counters counters;

    for (const ARCH_FLASH struct calls *calls = calls_begin; calls != calls_end; calls++) {
        expect(calls_group(calls->group, calls->fingerprint));
    }
    expect_equal(((open_fn *)function_of(0x70))(&settings), 0);
    expect_equal(((send_fn *)function_of(0xb0))(AM_ALL, 6, "hello", 5), 0);
    ((count_fn *)function_of(0x74))(&counters);
    expect_equal(counters.sent, 1);
}

TEST(reasons_for_losses_are_listed)
{
    struct link_loss loss;

    expect_equal(((loss_fn *)function_of(0x73))(0, &loss), 0);
    expect(loss.name != 0);
}

TEST(an_image_has_no_version)
{
    expect_equal(((version_fn *)function_of(0x01))(), 0);
}
