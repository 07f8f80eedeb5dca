# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

# A program of one of two motes that talk to each other, at one of the radio's rates, on all boards of the group or on those
# that are named.
macro(talk name source mote rate)
    row(${name} SOURCES ${source}.c INCLUDES ${LICHEN_CHIP} DEFINES TALK_MOTE=${mote} TALK_RATE=${rate} BOARDS ${ARGN})
endmacro()
talk(burst burst 2 0 hamilton micaz)
talk(bytes_sender bytes_sender 1 0 mica2)
talk(bytes_sender_38 bytes_sender 1 1 mica2)
talk(flood flood 2 0)
talk(flood_500 flood 2 1 hamilton mica2)
talk(flood_1000 flood 2 2 hamilton)
talk(flood_2000 flood 2 3 hamilton)
talk(held_up held_up 1 0 hamilton micaz)
talk(leaf leaf 1 0 hamilton)
talk(leaf_2000 leaf 1 3 hamilton)
talk(parent parent 2 0 hamilton)
talk(parent_2000 parent 2 3 hamilton)
talk(receiver receiver 1 0)
talk(receiver_500 receiver 1 1 hamilton mica2)
talk(receiver_1000 receiver 1 2 hamilton)
talk(receiver_2000 receiver 1 3 hamilton)
talk(receiver_other receiver 2 0)
talk(sampling_listens sampling_listens 1 0 mica2)
talk(sampling_listens_38 sampling_listens 1 1 mica2)
talk(sampling_sends sampling_sends 1 0 mica2)
talk(sampling_sends_38 sampling_sends 1 1 mica2)
talk(sends_blocking sends_blocking 1 0)
talk(sends_split sends_split 1 0)
talk(talker talker 2 0 hamilton micaz)

row(crowd_30s BOARDS hamilton)
row(crowd_busy crowd_duty crowd_saturated BOARDS hamilton micaz)
row(sampling sampling_awake sampling_loaded INCLUDES ${LICHEN_CHIP})
# It sends and receives active messages.
row(stack SOURCES ../../app/radio_count_to_leds/radio_count_to_leds.c)
