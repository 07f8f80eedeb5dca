# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

# The default leaves no room for their threads.
if(LICHEN_CHIP STREQUAL atmega128)
    set(stack OPTIONS KERNEL_STACK 290)
endif()
row(everything ${stack})
row(unwatched SOURCES unwatched/unwatched.c everything/everything.c everything/interrupts.c everything/threads.c
    INCLUDES everything/${LICHEN_CHIP} ${stack})
