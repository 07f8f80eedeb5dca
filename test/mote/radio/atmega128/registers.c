/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CC2420's addresses, where no frame of the other tests shows them. */
#include <lichen/radio.h>
#include <lichen/time.h>

#include "driver/radio/cc2420/access.h"
#include "driver/radio/cc2420/registers.h"
#include "test.h"

/* The least significant byte is at the least address. */
TEST(the_extended_address_is_that_of_the_settings)
{
    const struct radio_settings settings = {.channel = 20,
                                            .pan = 0x22,
                                            .short_address = 1,
                                            .flags = RADIO_FILTER,
                                            .extended_address = {1, 2, 3, 4, 5, 6, 7, 8}};

    expect_equal(radio_set(&settings), 0);
    radio_listen(true);
    sleep_ms(10);
    for (uint8_t i = 0; i < 8; i++) {
        expect_equal(cc2420_read_ram((uint16_t)(RAM_IEEEADR + i)), i + 1);
    }
    radio_listen(false);
}

TEST(frames_without_a_destination_are_the_coordinators)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct radio_settings settings = {
            .channel = 20,
            .pan = 0x22,
            .short_address = 1,
            .flags = (uint8_t)(RADIO_FILTER | (i == 0 ? RADIO_COORDINATOR : 0))};

        expect_equal(radio_set(&settings), 0);
        radio_listen(true);
        sleep_ms(10);
        expect_equal((cc2420_read(MDMCTRL0) & MDMCTRL0_PAN_COORDINATOR) != 0, i == 0);
        radio_listen(false);
    }
}
