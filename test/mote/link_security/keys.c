/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Levels, keys and their names. */
#include <string.h>

#include "pair.h"
#include "test.h"

#define LEVELS_ALL 0xeeu

TEST(each_level_and_mode_is_received_as_it_is_sent)
{
    struct link_key_name name = {.index = 7, .source = {1, 2, 3, 4, 5, 6, 7, 8}};

    for (name.mode = 0; name.mode < 4; name.mode++) {
        renew();
        expect_equal(link_key_set(&security, &name, key, LEVELS_ALL), 0);
        for (level = 1; level < 8; level++) {
            if (level == LINK_LEVEL_ENC) {
                continue;
            }
            expect_equal(send(&name), LINK_GOOD);
            expect((frame[OPEN] == (uint8_t)(3 * OPEN)) == (level < LINK_LEVEL_ENC));
            expect_equal(receive(), LINK_GOOD);
            expect_equal(send(&name), LINK_GOOD);
            frame[OPEN + 3] ^= 1;
            expect_equal(receive(), LINK_MIC_WRONG);
        }
    }
}

TEST(a_level_that_a_key_does_not_have_is_refused)
{
    renew();
    level = LINK_LEVEL_MIC_64;
    expect_equal(send(&by_index), LINK_LEVEL_REFUSED);
    level = LINK_LEVEL_NONE;
    expect_equal(send(&by_index), LINK_LEVEL_MISSING);
    level = LINK_LEVEL_ENC;
    expect_equal(send(&by_index), LINK_LEVEL_WITHOUT_MIC);
    level = LINK_LEVEL_ENC_MIC_64;
    expect_equal(send(&by_index), LINK_GOOD);
    expect_equal(link_key_set(&security, &by_index, key, LINK_LEVELS(5)), 0);
    expect_equal(receive(), LINK_LEVEL_REFUSED);
}

TEST(a_key_is_known_by_its_whole_name)
{
    struct link_key_name name = {.mode = LINK_KEY_SOURCE_4, .index = 1, .source = {1, 2, 3, 4}};

    renew();
    expect_equal(send(&name), LINK_KEY_UNKNOWN);
    expect_equal(link_key_set(&security, &name, key, LINK_LEVELS_USUAL), 0);
    expect_equal(send(&name), LINK_GOOD);
    expect_equal(receive(), LINK_GOOD);
    name.source[3] = 5;
    expect_equal(send(&name), LINK_KEY_UNKNOWN);
    name.source[3] = 4;
    name.source[7] = 9; /* that mode has four of them */
    expect_equal(send(&name), LINK_GOOD);
    name.index = 2;
    expect_equal(send(&name), LINK_KEY_UNKNOWN);
    expect_equal(link_key_remove(&security, &by_index), 0);
    expect_equal(link_key_remove(&security, &by_index), ERR_EMPTY);
    expect_equal(send(&by_index), LINK_KEY_UNKNOWN);
}

TEST(a_removed_key_is_not_left_in_memory)
{
    static const struct link_key_name name = {.mode = LINK_KEY_INDEX, .index = 77};
    uint8_t secret[LINK_KEY_BYTES];

    memset(secret, 0xa7, sizeof(secret));
    renew();
    expect_equal(link_key_remove(&security, &by_index), 0);
    expect_equal(link_key_set(&security, &name, secret, LINK_LEVELS_USUAL), 0);
    expect_equal(link_key_remove(&security, &name), 0);
    for (uint8_t i = 0; i < security.key_count; i++) {
        expect(memcmp(security.keys[i].bytes, secret, sizeof(secret)) != 0);
    }
}

TEST(a_frame_of_another_key_is_not_genuine)
{
    uint8_t other[LINK_KEY_BYTES];

    renew();
    expect_equal(send(&by_index), LINK_GOOD);
    memcpy(other, key, sizeof(other));
    other[9] ^= 0x10;
    expect_equal(link_key_set(&security, &by_index, other, LINK_LEVELS_USUAL), 0);
    expect_equal(receive(), LINK_MIC_WRONG);
    expect_equal(link_key_set(&security, &by_index, key, LINK_LEVELS_USUAL), 0);
    expect_equal(receive(), LINK_GOOD);
}

TEST(keys_that_make_no_sense_are_refused)
{
    struct link_key_name name = {.mode = 4, .index = 1};

    renew();
    expect_equal(link_key_set(&security, &name, key, LINK_LEVELS_USUAL), ERR_INVALID);
    name.mode = LINK_KEY_INDEX;
    expect_equal(link_key_set(&security, &name, key, 0), ERR_INVALID);
    expect_equal(link_key_set(&security, &name, key, LINK_LEVELS(4)), ERR_INVALID);
    expect_equal(link_key_set(&security, &name, key, LINK_LEVELS(0) | LINK_LEVELS(5)), ERR_INVALID);
    name.index = 0;
    expect_equal(link_key_set(&security, &name, key, LINK_LEVELS_USUAL), ERR_INVALID);
    for (name.index = 1; name.index <= KEYS; name.index++) {
        expect_equal(link_key_set(&security, &name, key, LINK_LEVELS_USUAL), 0);
    }
    expect_equal(link_key_set(&security, &name, key, LINK_LEVELS_USUAL), ERR_FULL);
}
