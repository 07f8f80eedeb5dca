# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds a Lichen program for a mote with plain CMake. A program's folder, here or anywhere else,
# holds its C files and a CMakeLists.txt of four lines:
#
#     cmake_minimum_required(VERSION 3.25)
#     include(../../os/lichen.cmake)      # before project(): it chooses the compiler
#     project(blink C ASM)
#     lichen_app(blink)
#
#     cmake -S app/blink -B build/hamilton/blink -G Ninja -DBOARD=hamilton
#     cmake --build build/hamilton/blink
#
# gives blink.elf, blink.bin, blink.map and compile_commands.json in the build folder.
#
#   lichen_app(NAME [SOURCES file...])    a program; without SOURCES, all C files of the folder
#   lichen_test(NAME [SOURCES file...])   the same plus the test frame of test/mote/frame (test/frames.cmake)
#   LICHEN_WOVEN                          OFF (-DLICHEN_WOVEN=OFF, or set() before the call) builds
#                                         without woven pairs (lichen/woven.h)
#   LICHEN_CPU_TIME                       ON counts the CPU time of threads (lichen/thread.h)
#   LICHEN_SYSLOG                         last level of messages that are compiled (lichen/syslog.h): none, emerg to debug
#   LICHEN_CLOCK                          the processor's clock: adaptive (lichen/clock.h), or one that the chip has, "8 MHz"
#   LICHEN_TICK                           how the time is kept: cooperative, calibrated (lichen/calibration.h), or read, to
#                                         compare (doc/spec/manifest.md)
#   LICHEN_SYSTEM                         where `lichen build` keeps the system's archives of the board: the program uses the
#                                         one of its settings, and otherwise builds one of its own. A folder that `lichen
#                                         build` has configured is for `lichen build` alone
#
#   LICHEN_LTO                            ON: `lichen build` optimises across files (os/again.cmake)
#   LICHEN_DEBUG                          ON compiles the program's own sources for a debugger, with -Og; the system's are
#                                         compiled as always (`lichen build --debug`)
#   LICHEN_KERNEL_STACK                   bytes of the kernel's stack; without it, what `lichen build`
#                                         computes, and 1,024 (768 on AVR) for plain CMake
#
# Woven pairs, CPU time, messages, the clock, the tick, the kernel's stack and optimising across files are also keys of the
# program's manifest, `[build] woven`, `cpu_time`, `syslog`, `clock`, `tick`, `kernel_stack` and `lto`, which take precedence.
#
# The whole system is one static archive, so a program contains nothing that it does not refer to.

include_guard(GLOBAL)

get_filename_component(LICHEN_ROOT ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)

# The board determines the chip, and the chip the instruction set.
set(BOARD hamilton CACHE STRING "Board to build for: a name from board/*.toml")
set(LICHEN_BOARD_FILE ${LICHEN_ROOT}/board/${BOARD}.toml)
if(NOT EXISTS ${LICHEN_BOARD_FILE})
    file(GLOB boards RELATIVE ${LICHEN_ROOT}/board ${LICHEN_ROOT}/board/*.toml)
    list(TRANSFORM boards REPLACE "\\.toml$" "")
    list(JOIN boards ", " boards)
    message(FATAL_ERROR "There is no board '${BOARD}'. Boards are: ${boards}")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${LICHEN_BOARD_FILE})
file(STRINGS ${LICHEN_BOARD_FILE} chip_line REGEX "^chip *= *\"")
string(REGEX REPLACE "^chip *= *\"([A-Za-z0-9]+)\".*" "\\1" LICHEN_CHIP_PART "${chip_line}")

file(GLOB chip_files ${LICHEN_ROOT}/os/chip/*/chip.cmake)
foreach(chip_file IN LISTS chip_files)
    unset(LICHEN_CHIP_CLOCKS)
    unset(LICHEN_CHIP_TICKS)
    include(${chip_file})
    if(LICHEN_CHIP_PART MATCHES "${LICHEN_CHIP_PARTS}")
        get_filename_component(LICHEN_CHIP_DIR ${chip_file} DIRECTORY)
        get_filename_component(LICHEN_CHIP ${LICHEN_CHIP_DIR} NAME)
        break()
    endif()
endforeach()
if(NOT LICHEN_CHIP_DIR)
    message(FATAL_ERROR
        "No folder of os/chip knows the chip '${LICHEN_CHIP_PART}' that ${LICHEN_BOARD_FILE} names.")
endif()

# The part of the board's radio: a CC1000 has a link of its own (os/net/byte_link).
file(STRINGS ${LICHEN_BOARD_FILE} LICHEN_RADIO REGEX "^part *= *\"(AT86RF233|CC2420|CC1000)\"")
string(REGEX REPLACE "^part *= *\"(.*)\".*$" "\\1" LICHEN_RADIO "${LICHEN_RADIO}")

include(${LICHEN_ROOT}/os/features.cmake)

# What the chip's linker script includes. It is the same with all settings, so one file serves all programs of a build folder.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/choices.ld CONTENT "${LICHEN_CHOICES}" @ONLY)

if(NOT CMAKE_TOOLCHAIN_FILE)
    set(CMAKE_TOOLCHAIN_FILE ${LICHEN_ROOT}/os/arch/${LICHEN_ARCH}/toolchain.cmake)
endif()
# CMake takes longer to examine the compiler than a program takes to be compiled. What it has found out for the system holds
# for the program, too: it is there before project(), and the mark says that it belongs to this build folder.
set(compilers CMakeFiles/${CMAKE_VERSION})
if(NOT CMAKE_PLATFORM_INFO_INITIALIZED)
    foreach(system IN ITEMS ${LICHEN_SYSTEM} ${LICHEN_USUAL})
        file(GLOB examined ${system}/${compilers}/CMake*Compiler.cmake)
        if(examined)
            file(COPY ${examined} DESTINATION ${CMAKE_BINARY_DIR}/${compilers})
            set(CMAKE_PLATFORM_INFO_INITIALIZED 1 CACHE INTERNAL "Whether the compiler was examined")
        endif()
    endforeach()
endif()
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE MinSizeRel)
endif()
# The flags that matter are stated below, once, for every build type.
set(CMAKE_C_FLAGS_MINSIZEREL "" CACHE STRING "" FORCE)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# What the compiler does not note in an object, and needs to know again where it makes code of several.
set(LICHEN_CODE_FLAGS -ffunction-sections -fdata-sections -fno-common -fshort-enums)

# Flags of the system and of programs alike.
function(lichen_compile_options target)
    lichen_syslog_number()
    target_compile_features(${target} PRIVATE c_std_11)
    set_target_properties(${target} PROPERTIES C_EXTENSIONS ON)
    target_compile_options(${target} PRIVATE
        -g3 ${LICHEN_ARCH_FLAGS} -Os ${LICHEN_CODE_FLAGS}
        # File names are relative to the repository's root, so they are the same on every machine. If two maps match,
        # the later one applies. The assembler knows the second form only.
        $<$<COMPILE_LANGUAGE:C>:-f${LICHEN_PREFIX_MAP}-prefix-map=${LICHEN_ROOT}/=>
        $<$<COMPILE_LANGUAGE:C>:-f${LICHEN_PREFIX_MAP}-prefix-map=${CMAKE_BINARY_DIR}=>
        $<$<COMPILE_LANGUAGE:ASM>:-fdebug-prefix-map=${LICHEN_ROOT}/=>
        $<$<COMPILE_LANGUAGE:ASM>:-fdebug-prefix-map=${CMAKE_BINARY_DIR}=>
        $<$<COMPILE_LANGUAGE:C>:-DLICHEN_SYSLOG=${LICHEN_SYSLOG_NUMBER} -Wall -Wextra -Werror -Wshadow -Wundef -Wstrict-prototypes
        -Wmissing-prototypes -Wvla -Wpointer-arith -Wwrite-strings -Wfloat-conversion>)
endfunction()

# Options that are one of several words, and their defaults.
set(LICHEN_OPTIONS SYSLOG CLOCK TICK)
set(LICHEN_DEFAULTS debug adaptive cooperative)

# What the system's archive is compiled with, besides the board: one argument of CMake for each option that does not have
# its default.
function(lichen_system_settings settings)
    set(found)
    foreach(option CPU_TIME C_TEXTS)
        if(LICHEN_${option})
            list(APPEND found -DLICHEN_${option}=ON)
        endif()
    endforeach()
    foreach(option default IN ZIP_LISTS LICHEN_OPTIONS LICHEN_DEFAULTS)
        if(NOT LICHEN_${option} STREQUAL default)
            list(APPEND found "-DLICHEN_${option}=${LICHEN_${option}}")
        endif()
    endforeach()
    set(${settings} "${found}" PARENT_SCOPE)
endfunction()

# The target of the system's archive: `lichen`, and with settings that differ, where programs of several settings are built
# in one folder, such as `lichen+CPU_TIME-ON`.
set(LICHEN_ARCHIVE lichen)

# One of the archives that the board's programs share. `lichen build` makes it before it builds the program, as the file
# system_archive says: the folder, a line for each of the settings, and an empty one.
function(lichen_shared_system)
    lichen_system_settings(settings)
    string(REPLACE "-DLICHEN_" "+" name "${settings}")
    string(REGEX REPLACE "[^A-Za-z0-9_+]" "-" name "${name}")
    set(LICHEN_ARCHIVE lichen${name})
    set(LICHEN_ARCHIVE ${LICHEN_ARCHIVE} PARENT_SCOPE)
    if(TARGET ${LICHEN_ARCHIVE})
        return()
    endif()
    if(settings)
        list(APPEND settings -DLICHEN_USUAL=${LICHEN_SYSTEM})
    endif()
    string(REPLACE ";" "\n" lines "${settings}")
    set_property(GLOBAL APPEND_STRING PROPERTY LICHEN_ARCHIVES "${LICHEN_SYSTEM}${name}\n${lines}\n\n")
    get_property(archives GLOBAL PROPERTY LICHEN_ARCHIVES)
    file(WRITE ${CMAKE_BINARY_DIR}/system_archive "${archives}")
    add_library(${LICHEN_ARCHIVE} STATIC IMPORTED GLOBAL)
    set_target_properties(${LICHEN_ARCHIVE} PROPERTIES
        IMPORTED_LOCATION ${LICHEN_SYSTEM}${name}/liblichen.a IMPORTED_NO_SYSTEM ON)
    lichen_system_headers(INTERFACE)
endfunction()

# What the system and its programs are compiled with: the headers, and the settings that they depend on.
function(lichen_system_headers scope)
    target_include_directories(${LICHEN_ARCHIVE} ${scope}
        ${LICHEN_ROOT}/os/include ${LICHEN_ROOT}/os/arch/${LICHEN_ARCH}/include ${LICHEN_CHIP_DIR}/include)
    if(LICHEN_CPU_TIME)
        target_compile_definitions(${LICHEN_ARCHIVE} ${scope} LICHEN_CPU_TIME)
    endif()
    if(LICHEN_C_TEXTS)
        target_compile_definitions(${LICHEN_ARCHIVE} ${scope} LICHEN_C_TEXTS)
    endif()
    if(LICHEN_CLOCK_NAME)
        target_compile_definitions(${LICHEN_ARCHIVE} ${scope} LICHEN_CLOCK_FIXED=${LICHEN_CLOCK_NAME})
    endif()
    if(LICHEN_TICK STREQUAL calibrated)
        target_compile_definitions(${LICHEN_ARCHIVE} ${scope} LICHEN_TICK_CALIBRATED)
    endif()
endfunction()

# The archive of kernel, drivers, chip and board, with the program's settings.
macro(lichen_archive)
    # These refuse settings that the system or the chip does not have, and name the line of the program's manifest.
    lichen_syslog_number()
    lichen_clock_name()
    lichen_tick_check()
    if(LICHEN_SYSTEM)
        lichen_shared_system()
    elseif(NOT TARGET lichen)
        lichen_system()
    endif()
endmacro()

function(lichen_system)
    set(os ${LICHEN_ROOT}/os)
    lichen_sources(sources)
    add_library(lichen STATIC ${sources})
    lichen_compile_options(lichen)
    # It runs for thousands of cycles at a time, in some ten bytes more.
    set_property(SOURCE ${os}/crypto/aes_words.c APPEND PROPERTY COMPILE_OPTIONS -O2)
    # What loads programs is large and runs seldom, but for the linker.
    file(GLOB load ${os}/load/*.c)
    list(REMOVE_ITEM load ${os}/load/linker.c)
    set_property(SOURCE ${load} APPEND PROPERTY COMPILE_OPTIONS ${LICHEN_ARCH_SMALL_FLAGS})
    lichen_system_headers(PUBLIC)
    target_include_directories(lichen PRIVATE ${os} ${os}/load/${LICHEN_ARCH} ${LICHEN_CHIP_DIR})
    # Loops are kept as loops: as a call, one would link the C library's memset, which is larger than all the system's
    # loops that fill memory.
    target_compile_options(lichen PRIVATE -Wmissing-declarations
        $<$<COMPILE_LANGUAGE:C>:-fno-tree-loop-distribute-patterns>)
endfunction()

# A build of the same source without woven pairs: their table and handlers are not linked.
option(LICHEN_WOVEN "Run woven handlers in place of pairs of pending events" ON)

# The kernel's C texts where the architecture has a file of assembly in their place: test/mote/texts_*.
option(LICHEN_C_TEXTS "C in place of the architecture's shorter ways" OFF)

# Counts the cycles that each thread has the processor (lichen/thread.h).
option(LICHEN_CPU_TIME "Count the CPU time of threads" OFF)

# The last level of the program's messages (lichen/syslog.h).
set(LICHEN_SYSLOG_LEVELS emerg alert crit err warning notice info debug)
set(LICHEN_SYSLOG debug CACHE STRING "Last level of messages: none, ${LICHEN_SYSLOG_LEVELS}")

# LOG_EMERG is 0, and none is -1.
macro(lichen_syslog_number)
    list(FIND LICHEN_SYSLOG_LEVELS "${LICHEN_SYSLOG}" LICHEN_SYSLOG_NUMBER)
    if(LICHEN_SYSLOG_NUMBER EQUAL -1 AND NOT LICHEN_SYSLOG STREQUAL none)
        list(JOIN LICHEN_SYSLOG_LEVELS ", " levels)
        message(FATAL_ERROR "There is no level '${LICHEN_SYSLOG}' of messages. Levels are: none, ${levels}")
    endif()
endmacro()

# The processor's clock: adaptive (lichen/clock.h), or one of LICHEN_CHIP_CLOCKS.
set(LICHEN_CLOCK adaptive CACHE STRING "The processor's clock")

# The chip's name of a fixed clock; empty if the clock is adaptive. LICHEN_CLOCK_PLACE is where a manifest says so.
macro(lichen_clock_name)
    set(LICHEN_CLOCK_NAME)
    if(NOT LICHEN_CLOCK STREQUAL adaptive)
        if(NOT LICHEN_CLOCK IN_LIST LICHEN_CHIP_CLOCKS)
            set(clocks adaptive ${LICHEN_CHIP_CLOCKS})
            list(JOIN clocks ", " clocks)
            message(FATAL_ERROR "${LICHEN_CLOCK_PLACE}The ${LICHEN_CHIP_PART} of the board '${BOARD}' has no clock of "
                "'${LICHEN_CLOCK}'. Clocks are: ${clocks}")
        endif()
        string(REPLACE " MHz" "_MHZ" LICHEN_CLOCK_NAME "CHIP_CLOCK_${LICHEN_CLOCK}")
    endif()
endmacro()

# How the time is kept: cooperative; calibrated, the same from a slow clock that is calibrated (lichen/calibration.h); or by
# reading the slow clock whenever it is needed, to compare.
set(LICHEN_TICK cooperative CACHE STRING "How the time is kept")

# Refuses one that the chip or the board cannot keep. LICHEN_TICK_PLACE is where a manifest says so.
macro(lichen_tick_check)
    if(LICHEN_TICK STREQUAL calibrated AND calibrated IN_LIST LICHEN_CHIP_TICKS)
        file(STRINGS ${LICHEN_BOARD_FILE} crystal REGEX "^xosc32k_hz *=")
        if(crystal)
            message(FATAL_ERROR "${LICHEN_TICK_PLACE}The slow clock of the board '${BOARD}' is a crystal, and cannot be "
                "calibrated. The usual way is: cooperative")
        endif()
    elseif(NOT LICHEN_TICK STREQUAL cooperative AND NOT LICHEN_TICK IN_LIST LICHEN_CHIP_TICKS)
        message(FATAL_ERROR "${LICHEN_TICK_PLACE}The ${LICHEN_CHIP_PART} of the board '${BOARD}' does not keep the time by "
            "'${LICHEN_TICK}'. The usual way is: cooperative")
    endif()
endmacro()

# What the program's manifest says under [build]; doc/spec/manifest.md.
macro(lichen_read_manifest)
    set(manifest ${CMAKE_CURRENT_SOURCE_DIR}/lichen.toml)
    set(LICHEN_LOADABLE OFF)
    set(LICHEN_CALLS)
    set(LICHEN_KEY)
    set(LICHEN_EVENTS 0)
    set(LICHEN_EVENT_STACK 0)
    if(EXISTS ${manifest})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${manifest})
        set(known "(woven|cpu_time|kernel_stack|syslog|clock|tick|lto)[ \t]*=[ \t]*\"?(true|false|[0-9]+ MHz|[0-9]+|[a-z]+)")
        file(STRINGS ${manifest} lines REGEX "^[ \t]*${known}")
        foreach(line IN LISTS lines)
            string(REGEX MATCH "${known}" line "${line}")
            string(TOUPPER ${CMAKE_MATCH_1} option)
            set(LICHEN_${option} ${CMAKE_MATCH_2})
            if(option MATCHES "^(CLOCK|TICK)$")
                lichen_place_of("${line}" ${manifest} LICHEN_${option}_PLACE)
            endif()
        endforeach()
        lichen_read_load(${manifest})
    endif()
endmacro()

# Sets `place` to "FILE:LINE: ", where `text` begins in `file`.
function(lichen_place_of text file place)
    file(READ ${file} contents)
    string(FIND "${contents}" "${text}" begin)
    string(SUBSTRING "${contents}" 0 ${begin} before)
    string(REGEX MATCHALL "\n" newlines "${before}")
    list(LENGTH newlines line)
    math(EXPR line "${line} + 1")
    set(${place} "${file}:${line}: " PARENT_SCOPE)
endfunction()

# Bytes of the kernel's stack, if not computed.
set(LICHEN_KERNEL_STACK "" CACHE STRING "Bytes of the kernel's stack")

# Line by line, and with variables that keep their values: for a debugger.
option(LICHEN_DEBUG "Compile the program's own sources for a debugger" OFF)

# Links `target` against the system and writes its binary and the linker's map beside it. Where `lichen build` links it
# again, this is the ordinary link, in the folder once/.
function(lichen_link target)
    # Where programs of several folders are built in one, LICHEN_OUTPUT is the path of the image below it, without .elf.
    set(output ${target})
    if(LICHEN_OUTPUT)
        set(output ${LICHEN_OUTPUT})
    endif()
    lichen_compile_options(${target})
    target_compile_options(${target} PRIVATE ${LICHEN_ARCH_PROGRAM_FLAGS})
    if(LICHEN_DEBUG)
        target_compile_options(${target} PRIVATE -Og ${LICHEN_ARCH_DEBUG_FLAGS})
    endif()
    if(LICHEN_LTO AND LICHEN_SYSTEM AND LICHEN_ARCH_LTO_FLAGS AND NOT LICHEN_DEBUG)
        lichen_link_as(${target} once/${output})
        # Sources and options may be added to the target up to the end of its folder.
        cmake_language(EVAL CODE
            "cmake_language(DEFER CALL lichen_link_again ${target} ${output} ${LICHEN_ARCHIVE})")
    else()
        lichen_link_as(${target} ${output})
    endif()
    target_link_libraries(${target} PRIVATE ${LICHEN_ARCHIVE} m)
endfunction()

# Links `target` as the image `output`.
function(lichen_link_as target output)
    lichen_image(${target} ${output})
    set(script ${LICHEN_CHIP_DIR}/${LICHEN_LINKER_SCRIPT})
    if(NOT LICHEN_WOVEN)
        target_link_options(${target} PRIVATE -L${LICHEN_ROOT}/os/kernel/unwoven LINKER:--defsym=woven_run=0)
    endif()
    if(NOT LICHEN_CLOCK STREQUAL adaptive)
        target_link_options(${target} PRIVATE LINKER:-u,clock_fixed)
    endif()
    if(LICHEN_TICK STREQUAL calibrated)
        target_link_options(${target} PRIVATE LINKER:-u,calibration)
    endif()
    foreach(group IN LISTS LICHEN_CALLS)
        target_link_options(${target} PRIVATE LINKER:-u,load_calls_${group})
    endforeach()
    lichen_key(${target} ${output})
    lichen_event_slots(${target})
    if(LICHEN_KERNEL_STACK)
        target_link_options(${target} PRIVATE LINKER:--defsym=KERNEL_STACK=${LICHEN_KERNEL_STACK})
    endif()
    # `lichen build` puts what it computes of the program into the first folder, and links again.
    target_link_options(${target} PRIVATE
        ${LICHEN_ARCH_FLAGS} -nostartfiles ${LICHEN_ARCH_LINK_FLAGS} -T${script}
        -L${CMAKE_BINARY_DIR}/computed/${output} -L${CMAKE_BINARY_DIR} -L${LICHEN_ROOT}/os/kernel
        -L${LICHEN_ROOT}/os/arch/${LICHEN_ARCH} ${LICHEN_LINK_FLAGS}
        # A main, which nothing calls, is kept, so that `lichen build` finds it and refuses it.
        LINKER:-u,main LINKER:--gc-sections LINKER:--fatal-warnings LINKER:-Map=${output}.map)
    file(GLOB included CONFIGURE_DEPENDS
        ${LICHEN_ROOT}/os/kernel/*.ld ${LICHEN_ROOT}/os/arch/${LICHEN_ARCH}/*.ld)
    list(APPEND included ${CMAKE_BINARY_DIR}/choices.ld)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script} ${included})
endfunction()

# Says where the image of `target` is, and has its binary written beside it.
function(lichen_image target output)
    get_filename_component(folder ${CMAKE_BINARY_DIR}/${output} DIRECTORY)
    get_filename_component(name ${output} NAME)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${folder} OUTPUT_NAME ${name} SUFFIX .elf)
    set_property(GLOBAL APPEND_STRING PROPERTY LICHEN_PROGRAMS "${output} ${LICHEN_ARCHIVE}\n")
    set_property(TARGET ${target} APPEND PROPERTY ADDITIONAL_CLEAN_FILES
        ${CMAKE_BINARY_DIR}/${output}.bin ${CMAKE_BINARY_DIR}/${output}.map)
    add_custom_command(TARGET ${target} POST_BUILD
        COMMAND ${CMAKE_OBJCOPY} -O binary $<TARGET_FILE:${target}> ${CMAKE_BINARY_DIR}/${output}.bin
        BYPRODUCTS ${CMAKE_BINARY_DIR}/${output}.bin)
endfunction()

# The second link of a program, os/again.cmake: not of a build without `lichen`, which would not know the members.
option(LICHEN_LTO "Optimise the program and what it uses of the system as one" OFF)
include(${CMAKE_CURRENT_LIST_DIR}/again.cmake)

# The headers' macros are C11, and nothing would call the constructors of C++.
function(lichen_refuse_cxx name)
    file(GLOB cxx CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp
        ${CMAKE_CURRENT_SOURCE_DIR}/*.cc ${CMAKE_CURRENT_SOURCE_DIR}/*.cxx ${CMAKE_CURRENT_SOURCE_DIR}/*.ino)
    set(listed ${ARGN})
    list(FILTER listed INCLUDE REGEX "\\.(cpp|cc|cxx|ino)$")
    list(APPEND cxx ${listed})
    list(REMOVE_DUPLICATES cxx)
    if(cxx)
        list(JOIN cxx ", " cxx)
        message(FATAL_ERROR "lichen_app(${name}): programs are written in C, and ${cxx} is C++; write a .c file")
    endif()
endfunction()

function(lichen_app name)
    cmake_parse_arguments(arg "" "" SOURCES ${ARGN})
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "lichen_app(${name}): unknown argument '${arg_UNPARSED_ARGUMENTS}'; "
            "files are listed after SOURCES")
    endif()
    if(NOT arg_SOURCES)
        file(GLOB arg_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
    endif()
    lichen_refuse_cxx(${name} ${arg_SOURCES})
    if(NOT arg_SOURCES)
        message(FATAL_ERROR "lichen_app(${name}): no C file in ${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
    lichen_read_manifest()
    lichen_archive()
    add_executable(${name} ${arg_SOURCES})
    lichen_link(${name})
    if(LICHEN_LOADABLE)
        lichen_loaded(${name} ${arg_SOURCES})
    endif()
endfunction()

# Programs that are loaded: the target NAME.loaded.
include(${CMAKE_CURRENT_LIST_DIR}/load/load.cmake)

# Programs of tests: lichen_test, and what else test/ has.
include(${LICHEN_ROOT}/test/frames.cmake)
