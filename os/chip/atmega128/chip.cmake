# SPDX-License-Identifier: MIT OR Apache-2.0
# The ATmega128: AVR, 128 KB of flash, 4 KB of RAM.

set(LICHEN_CHIP_PARTS "^ATmega128[AL]?$")
set(LICHEN_ARCH avr8)
set(LICHEN_DEVICE atmega128)
set(LICHEN_LINKER_SCRIPT atmega128.ld)
set(LICHEN_LINK_FLAGS)
