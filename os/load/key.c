/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Names of programs, as texts. */
#include "load/table.h"

#include <stddef.h>

void table_end_name(char *end, uint8_t instance)
{
    if (instance != 0) {
        uint8_t left = instance;

        *end++ = '.';
        for (uint8_t digit = 100; digit > 0; digit /= 10) {
            if (instance >= digit) {
                *end++ = (char)('0' + left / digit);
            }
            left %= digit;
        }
    }
    *end = 0;
}

void table_name(const struct directory_row *row, char *name)
{
    uint8_t bytes =
        (uint8_t)directory_read_program(row, offsetof(struct container_header, name_bytes));

    if (directory_read_program(row, 0) == CONTAINER_MAGIC && bytes <= CONTAINER_NAME_MAX) {
        code_read_all(directory_address(row) + sizeof(struct container_header), name,
                      (bytes + 1u) & ~1u);
    } else {
        bytes = 1;
        name[0] = '?';
    }
    table_end_name(name + bytes, row->instance);
}

uint16_t table_version(const struct directory_row *row)
{
    return directory_read_program(row, offsetof(struct container_header, version));
}
