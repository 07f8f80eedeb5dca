# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

# A program in each of the link's three forms. Those that send do it once in so many microseconds in the mean; 0: without a
# pause.
macro(traffic name source period_us)
    row(${name}_events SOURCES ${source}.c DEFINES TRAFFIC_PERIOD_US=${period_us})
    row(${name}_threads SOURCES ${source}.c threads.c DEFINES TRAFFIC_PERIOD_US=${period_us})
    row(${name}_in_turn SOURCES ${source}.c in_turn.c DEFINES TRAFFIC_PERIOD_US=${period_us})
endmacro()
traffic(child child 2000000)
traffic(crowd crowd 250000)
traffic(parent parent 0)
traffic(sender_busy sender 0)
traffic(sender_now_and_then sender 100000)
traffic(sink sink 0)
