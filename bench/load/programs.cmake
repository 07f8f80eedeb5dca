# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake. null, radio_stress and base_station are programs that are loaded, and
# build by themselves, too.
