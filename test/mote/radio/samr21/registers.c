/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers that decide which frames the AT86RF233 takes and acknowledges, where no frame of the
 * other tests shows them. */
#include <lichen/radio.h>
#include <lichen/time.h>

#include "driver/radio/at86rf233/access.h"
#include "driver/radio/at86rf233/registers.h"
#include "test.h"

enum { LOCKED_MS = 10, VERSIONS_OLD = 1, VERSIONS_ALL = 2 };

static void expect_versions(uint8_t flags, uint8_t versions)
{
    const struct radio_settings settings = {.channel = 20,
                                            .pan = 0x22,
                                            .short_address = 1,
                                            .flags = flags,
                                            .extended_address = {1, 2, 3, 4, 5, 6, 7, 8}};

    expect_equal(radio_set(&settings), 0);
    radio_listen(true);
    sleep_ms(LOCKED_MS);
    expect_equal(at86rf233_access_read(CSMA_SEED_1) >> CSMA_SEED_1_AACK_FVN_MODE_Pos, versions);
    radio_listen(false);
}

TEST(frames_of_2015_are_acknowledged_if_asked_for)
{
    expect_versions(RADIO_FILTER | RADIO_ACKNOWLEDGE, VERSIONS_OLD);
    expect_versions(RADIO_FILTER | RADIO_ACKNOWLEDGE | RADIO_ACKNOWLEDGE_2015, VERSIONS_ALL);
}

TEST(frames_without_a_destination_are_the_coordinators)
{
    for (unsigned i = 0; i < 2; i++) {
        expect_versions((uint8_t)(RADIO_FILTER | (i == 0 ? RADIO_COORDINATOR : 0)), VERSIONS_OLD);
        radio_listen(true);
        sleep_ms(LOCKED_MS);
        expect_equal((at86rf233_access_read(CSMA_SEED_1) & CSMA_SEED_1_AACK_I_AM_COORD) != 0,
                     i == 0);
        radio_listen(false);
    }
}

/* The least significant byte is at the least address. */
TEST(the_extended_address_is_that_of_the_settings)
{
    expect_versions(RADIO_FILTER, VERSIONS_OLD);
    radio_listen(true);
    sleep_ms(LOCKED_MS);
    for (uint8_t i = 0; i < 8; i++) {
        expect_equal(at86rf233_access_read((uint8_t)(IEEE_ADDR_0 + i)), i + 1);
    }
    radio_listen(false);
}
