/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What power_chosen() tells of every mode of sleep. */
#include <string.h>

#include <lichen/power.h>
#include <lichen/print.h>

#include "sleep_mode.h"
#include "test.h"

TEST(every_mode_has_the_name_of_the_data_sheet)
{
    static const char names[][24] = SLEEP_NAMES;
    struct power_choice choice;
    char name[24];

    for (uint8_t mode = 0; mode < CHIP_SLEEP_MODES; mode++) {
        expect_equal(power_chosen(mode, &choice), 0);
        (void)print_into(name, sizeof name, "%s", choice.mode);
        expect(strcmp(name, names[mode]) == 0);
    }
    expect_equal(power_chosen(CHIP_SLEEP_MODES, &choice), ERR_EMPTY);
}
