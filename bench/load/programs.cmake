# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake. null, radio_stress and base_station are programs that are loaded, and
# build by themselves, too.
row(loads DEFINES CONTAINER_ROOM=1024)
row(stores SOURCES loads/loads.c stores/stores.c DEFINES CONTAINER_ROOM=1536)
