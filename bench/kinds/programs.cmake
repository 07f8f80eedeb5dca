# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

# One for every combination of the four kinds of work, for `lichen size`: each kind has a file with the least code that uses
# it.
row(none SOURCES none.c)
foreach(combination RANGE 1 15)
    set(kinds "")
    set(bit 1)
    foreach(kind rt event thread coop)
        math(EXPR chosen "${combination} & ${bit}")
        math(EXPR bit "${bit} * 2")
        if(chosen)
            list(APPEND kinds ${kind})
        endif()
    endforeach()
    list(JOIN kinds "_" name)
    list(TRANSFORM kinds APPEND ".c")
    row(${name} SOURCES ${kinds} INCLUDES ${LICHEN_CHIP})
endforeach()
