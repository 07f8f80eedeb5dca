#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds the images of this folder again; they are kept so that the tests need no compiler. Sources that
# include headers of avr-libc are for the ATmega128, the others for the SAM R21.
set -eu
cd "$(dirname "$0")"
for source in *.c mica/*.c; do
    image="${source%.c}.elf"
    if grep -q '^#include <avr/' "$source"; then
        (
            cd "$(dirname "$source")"
            avr-gcc -mmcu=atmega128 -DF_CPU=7372800UL -Os -g -gdwarf-4 -gno-record-gcc-switches \
                -fdebug-prefix-map="$PWD"=. -o "$(basename "$image")" "$(basename "$source")"
        )
    else
        arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -Os -g1 -ffreestanding -nostdlib -Wall -Wextra \
            -fdebug-prefix-map="$PWD"=. -Wl,-T,samr21.ld -o "$image" "$source"
    fi
    chmod -x "$image"
done
arm-none-eabi-strip -o stripped.elf echo.elf
chmod -x stripped.elf
