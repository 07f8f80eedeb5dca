# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

# It secures frames without a link, and makes those that nobody should send.
row(talker SOURCES ../../fuzz/link/hostile.c ../../mote/ieee802154/compose.c INNER)

# They begin the link's and the radio's counts anew, before they stop at their largest value.
row(plain INNER DEFINES SECURES=0 COORDINATES=0)
row(coordinator SOURCES plain/plain.c INNER DEFINES SECURES=0 COORDINATES=1)
row(secured SOURCES plain/plain.c INNER DEFINES SECURES=1 COORDINATES=0)
row(bytes INNER)
