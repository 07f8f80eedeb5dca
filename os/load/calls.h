/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The calls that an image exports to programs: groups, each with a table of functions by number.
 *
 * Files of os/load/calls are made from os/load/interface.toml. One is linked if the manifest of the
 * image names its group, and the linker lists it (os/kernel/flash.ld).
 */
#ifndef LOAD_CALLS_H
#define LOAD_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/loaded.h>

typedef void call_fn(void);

/* Groups have numbers below this: a bit of RAM each. */
enum {
    CALLS_GROUPS = 40,
};

/* A group; in flash. */
struct calls {
    call_fn *const ARCH_FLASH *functions; /* by number; 0: there is no such call */
    uint16_t fingerprint;
    uint8_t group;
    uint8_t first; /* number of its first call */
    uint8_t count; /* of functions */
};

/* Defines the functions of a group. They stand apart from other pointers to functions: no call of
 * the image itself goes by them (host/analysis/src/pointers.rs). */
#define CALLS_FUNCTIONS                                                                            \
    static call_fn *const functions[] __attribute__((section(".lichen.functions")))

/* Declares a group, of the functions above it. */
#define CALLS(name, number, first_, fingerprint_avr8, fingerprint_armv6m)                          \
    _Static_assert((number) < CALLS_GROUPS, "load/calls.c has no bit for this group");             \
    extern const struct calls load_calls_##name;                                                   \
    const struct calls load_calls_##name                                                           \
        __attribute__((section(".lichen.calls." #name), used)) = {                                 \
            .functions = (call_fn *const ARCH_FLASH *)(uintptr_t)functions,                        \
            .fingerprint = ARCH_FLASH_IS_APART ? (fingerprint_avr8) : (fingerprint_armv6m),        \
            .group = (number),                                                                     \
            .first = (first_),                                                                     \
            .count = sizeof(functions) / sizeof(functions[0])}

/* Compares a layout with what programs are compiled with. */
#define CALLS_LAYOUT(value, avr8, armv6m)                                                          \
    _Static_assert((value) == (ARCH_FLASH_IS_APART ? (avr8) : (armv6m)),                           \
                   "os/load/interface.toml has another size of this")

/* Forgets which groups the program to be linked declares.
 * context   thread; one at a time, as all of these
 * blocks    no
 */
void calls_forget(void);

/* Declares a group for the program to be linked: linker_call (load/linker.h) then finds its calls.
 * returns   false if the image does not have it in this form
 * context   thread
 * blocks    no       cost  O(n) groups
 */
bool calls_group(uint8_t group, uint16_t fingerprint);

/* A checksum of the addresses of all calls: what is linked to them does not run with others.
 * context   any
 * blocks    no       cost  O(n) calls
 */
uint32_t calls_identity(void);

#endif
