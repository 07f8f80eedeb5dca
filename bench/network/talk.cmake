# SPDX-License-Identifier: MIT OR Apache-2.0
# A program of one of two motes that talk to each other, the first one unless it is said to be the second, at a rate of
# the radio, the first one unless another is said:
#
#     talk(receiver)
#     talk(flood NAME flood_2000 MOTE 2 RATE 3)
function(talk source)
    cmake_parse_arguments(PARSE_ARGV 1 talk "" "NAME;MOTE;RATE" "")
    if(NOT talk_NAME)
        set(talk_NAME ${source})
    endif()
    if(NOT talk_MOTE)
        set(talk_MOTE 1)
    endif()
    if(NOT talk_RATE)
        set(talk_RATE 0)
    endif()
    lichen_app(${talk_NAME} SOURCES ${LICHEN_ROOT}/bench/network/${source}.c)
    target_compile_definitions(${talk_NAME} PRIVATE TALK_MOTE=${talk_MOTE} TALK_RATE=${talk_RATE})
endfunction()
