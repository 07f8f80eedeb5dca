# SPDX-License-Identifier: MIT OR Apache-2.0
# The program `sense` with another interval:
#
#     sense_every(10 NAME sense_10s)     seconds
function(sense_every seconds)
    cmake_parse_arguments(PARSE_ARGV 1 sense "" "NAME" "")
    set(app ${LICHEN_ROOT}/app/sense)
    lichen_app(${sense_NAME} SOURCES ${app}/sense.c ${LICHEN_ROOT}/bench/hamilton/sense_period.c)
    target_compile_definitions(${sense_NAME} PRIVATE SENSE_PERIOD_S=${seconds})
endfunction()
