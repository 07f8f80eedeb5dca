# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

# Sense, Store and Forward with other logging periods, in seconds.
macro(ssf name seconds)
    row(ssf_${name} SOURCES ../../app/ssf/ssf.c ssf_period.c DEFINES SSF_PERIOD_S=${seconds})
endmacro()
ssf(10s 10)
ssf(30s 30)
ssf(1min 60)
ssf(5min 300)
ssf(15min 900)
ssf(1h 3600)
