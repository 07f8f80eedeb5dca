# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

# The default leaves no room for the six threads of coop.
if(LICHEN_CHIP STREQUAL atmega128)
    set(stack OPTIONS KERNEL_STACK 400)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/lines.cmake)
row(alone SOURCES alone/alone.c frame/coops.c)
row(coop SOURCES coop/threads.c frame/objects.c frame/calls.c frame/coops.c ${stack})
row(threads SOURCES threads/threads.c frame/objects.c frame/calls.c frame/alarms.c LINES ${model_lines})
row(storage SOURCES ../mote/storage_faults/played_medium.c INNER DEFINES PLAYED_PAGES=22 REPLACES played_medium.c)
