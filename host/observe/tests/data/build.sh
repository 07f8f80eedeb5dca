#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds kernel.elf again, with the kernel's own headers; it is kept so that the tests need no
# compiler.
set -eu
cd "$(dirname "$0")"
os=../../../../os
arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -Os -g -gdwarf-4 -ffreestanding -nostdlib -Wall -Wextra \
    -fdebug-prefix-map="$PWD"=. -fdebug-prefix-map="$(cd "$os" && pwd)"=os \
    -I"$os/include" -I"$os/arch/armv6m/include" -Wl,-T,kernel.ld -o kernel.elf kernel.c dropped.S
chmod -x kernel.elf
