# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake. null is a program that is loaded, and builds by itself, too.
row(loads DEFINES CONTAINER_ROOM=1024)
row(stores SOURCES loads/loads.c stores/stores.c DEFINES CONTAINER_ROOM=1536)
