/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The groups of calls that an image has for programs. */
#ifndef LOAD_GROUPS_H
#define LOAD_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

/* A group in the form that the image has (doc/spec/container.md, "Calls"). */
struct load_group {
    uint8_t number;
    uint16_t fingerprint;
};

/* The image's groups, in order of their numbers.
 * returns   false: there are no more
 */
bool load_group(uint8_t index, struct load_group *group);

#endif
