/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Requests do no harm and take no memory where there is one clock; what they do where it can change
 * is in the chip's folder.
 */
#include <lichen/clock.h>

#include "chip/chip.h"
#include "test.h"

extern const uint8_t clock_requests_begin[], clock_requests_end[];

CLOCK_REQUEST(own);

TEST(requests_may_be_made_on_every_chip)
{
    uint32_t hz = chip_clock_hz();

    clock_request(&own, CLOCK_FAST);
    expect(chip_clock_hz() >= hz);
    clock_request(&own, CLOCK_FAST_IDLE);
    clock_release(&own);
    expect_equal((uintptr_t)clock_requests_end != (uintptr_t)clock_requests_begin,
                 CHIP_CLOCK_CHANGES);
}
