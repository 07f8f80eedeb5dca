#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds the images of this folder again; they are kept so that the tests need no compiler.
set -eu
cd "$(dirname "$0")"
for source in *.c; do
    arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -Os -g1 -ffreestanding -nostdlib -Wall -Wextra \
        -fdebug-prefix-map="$PWD"=. -Wl,-T,samr21.ld -o "${source%.c}.elf" "$source"
    chmod -x "${source%.c}.elf"
done
arm-none-eabi-strip -o stripped.elf echo.elf
chmod -x stripped.elf
