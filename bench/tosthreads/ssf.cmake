# SPDX-License-Identifier: MIT OR Apache-2.0
# Sense, Store and Forward with another logging period:
#
#     ssf_every(60 NAME ssf_1min)     seconds
function(ssf_every seconds)
    cmake_parse_arguments(PARSE_ARGV 1 ssf "" "NAME" "")
    set(app ${LICHEN_ROOT}/app/ssf)
    lichen_app(${ssf_NAME} SOURCES ${app}/ssf.c ${LICHEN_ROOT}/bench/tosthreads/ssf_period.c)
    target_compile_definitions(${ssf_NAME} PRIVATE SSF_PERIOD_S=${seconds})
endfunction()
