/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The linker and the reader of headers, fed with containers that are made at random, and most of
 * which are then changed; what becomes of each is compared with what the model says.
 *
 *     linker SEED EXECUTIONS
 *
 * Containers by hand come first. The same seed gives the same containers. Without this file, and
 * with -fsanitize=fuzzer, clang makes a libFuzzer of the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "linker.h"

/* Of check.c. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
extern unsigned long results[LOAD_ERRORS];

static uint8_t bytes[CONTAINER_MAX];
static size_t length;

static void change_byte(void)
{
    size_t header = length < 64 ? length : 64;
    size_t at = any((uint32_t)(any(4) == 0 ? header : length));
    if (any(16) == 0) {
        memmove(bytes + at, bytes + at + 1, length - at - 1);
        length--;
    } else if (any(16) == 0 && length < sizeof(bytes)) {
        memmove(bytes + at + 1, bytes + at, length - at);
        bytes[at] = (uint8_t)any(256);
        length++;
    } else {
        bytes[at] = (uint8_t)(any(2) ? any(256) : bytes[at] ^ 1u << any(8));
    }
}

static void change(void)
{
    for (unsigned changes = 1 + any(3); changes > 0 && length > 1; changes--) {
        change_byte();
    }
    if (any(8) == 0) {
        length = any((uint32_t)length + 1);
    }
}

static void tell(void)
{
    fprintf(stderr, "container:");
    for (size_t at = 0; at < length; at++) {
        fprintf(stderr, " %02x", bytes[at]);
    }
    fprintf(stderr, "\n");
}

/* In the order of enum load_error: those of which containers are refused. */
static const char *const names[] = {
    "linked", "no container", "machine", "header", "record", "group",
    "call",   "token",        "address", "field",  "length",
};

static void run(uint32_t seed, unsigned long executions)
{
    generate_begin(seed);
    host_at_death(tell);
    for (unsigned long execution = 0; execution < executions; execution++) {
        length = generate(bytes);
        unsigned long linked = results[LOAD_OK];
        if (any(4) != 0) {
            change();
            LLVMFuzzerTestOneInput(bytes, length);
        } else {
            LLVMFuzzerTestOneInput(bytes, length);
            require(results[LOAD_OK] == linked + 1);
        }
    }
    printf("%lu containers", executions);
    for (unsigned result = 0; result < sizeof(names) / sizeof(names[0]); result++) {
        printf("%s %lu %s", result == 0 ? ":" : ",", results[result], names[result]);
        require(executions < 100000 || results[result] != 0);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: linker SEED EXECUTIONS\n");
        return 2;
    }
    check_golden();
    run((uint32_t)strtoul(argv[1], 0, 10), strtoul(argv[2], 0, 10));
    return 0;
}
