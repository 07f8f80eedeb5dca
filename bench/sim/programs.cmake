# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

row(blink SOURCES ../../app/blink/blink.c BOARDS hamilton)
row(naps SOURCES naps.c BOARDS hamilton)
foreach(name crc lists sort toy)
    row(${name} SOURCES ${name}.c fast.c INCLUDES ${LICHEN_CHIP} INNER)
endforeach()
set(signal ../kernel/${LICHEN_CHIP}/signal.c INCLUDES ../kernel/${LICHEN_CHIP} ${LICHEN_CHIP} INNER)
row(polls SOURCES polls.c fast.c ${signal} BOARDS hamilton)
row(switches SOURCES switches.c ${signal})
