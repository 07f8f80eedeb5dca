# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

# The default leaves no room for the six threads of coop.
if(LICHEN_CHIP STREQUAL atmega128)
    set(stack OPTIONS KERNEL_STACK 400)
endif()
# TCC2 counts alarms.
if(LICHEN_CHIP STREQUAL samr21)
    set(lines LINES SOFTWARE_LINE_0=18u SOFTWARE_VECTOR_0=TC3 SOFTWARE_VECTOR_1=TC4 SOFTWARE_VECTOR_2=TC5
        SOFTWARE_DRIVER_LINE=16u SOFTWARE_DRIVER_VECTOR=TCC1)
endif()
row(alone SOURCES alone/alone.c frame/coops.c)
row(coop SOURCES coop/threads.c frame/objects.c frame/calls.c frame/coops.c ${stack})
row(threads SOURCES threads/threads.c frame/objects.c frame/calls.c frame/alarms.c ${lines})
row(storage SOURCES ../mote/storage_faults/played_medium.c INNER DEFINES PLAYED_PAGES=22 REPLACES played_medium.c)
