# SPDX-License-Identifier: MIT OR Apache-2.0
# The program `sense` with another interval, and with another limit of the age of what is kept:
#
#     sense_every(10 NAME sense_10s)                          seconds
#     sense_every(30 NAME sense_uncached ROUND_MS 0)          milliseconds; else as `sense`
function(sense_every seconds)
    cmake_parse_arguments(PARSE_ARGV 1 sense "" "NAME;ROUND_MS" "")
    set(app ${LICHEN_ROOT}/app/sense)
    lichen_app(${sense_NAME} SOURCES ${app}/sense.c ${LICHEN_ROOT}/bench/hamilton/sense_period.c)
    if(NOT DEFINED sense_ROUND_MS)
        set(sense_ROUND_MS 1000)
    endif()
    target_compile_definitions(${sense_NAME} PRIVATE SENSE_PERIOD_S=${seconds} SENSE_ROUND_MS=${sense_ROUND_MS})
endfunction()
