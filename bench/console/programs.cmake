# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

row(post SOURCES ../kernel/${LICHEN_CHIP}/signal.c INCLUDES ../kernel/${LICHEN_CHIP})
