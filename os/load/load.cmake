# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs that are loaded, and images that they are loaded into.
#
# A program whose manifest has a table [load] has a second target, NAME.loaded, which is built only if it is asked for: its
# sources, compiled with LICHEN_LOADED and linked against names of calls (os/load/stubs.inc) by the architecture's program.ld,
# into NAME.loaded.elf beside the image. `lichen pack` makes the container of it.
#
# An image has the groups of calls that its manifest names: `[programs] calls = ["thread", "time"]`, and takes programs that
# are linked as they are if it has a key: `[programs] key = "my.key"`, a file that `lichen key` makes. It has spare slots for
# events of programs if it says how many, `events = 4`, and how many bytes of the kernel's stack each may use, `event_stack = 96`.

# The target of the sources `ARGN` of the program `name`.
function(lichen_loaded name)
    set(output ${name})
    if(LICHEN_OUTPUT)
        set(output ${LICHEN_OUTPUT})
    endif()
    set(load ${LICHEN_ROOT}/os/load)
    set(arch ${LICHEN_ROOT}/os/arch/${LICHEN_ARCH})
    set(target ${name}.loaded)
    set(stubs ${CMAKE_BINARY_DIR}/stubs.S)
    file(CONFIGURE OUTPUT ${stubs} CONTENT "#include \"stub.inc\"\n#include \"stubs.inc\"\n" @ONLY)
    add_executable(${target} EXCLUDE_FROM_ALL ${ARGN} ${stubs})
    lichen_compile_options(${target})
    get_filename_component(folder ${CMAKE_BINARY_DIR}/${output} DIRECTORY)
    get_filename_component(file ${output} NAME)
    set_target_properties(${target} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${folder} OUTPUT_NAME ${file}.loaded SUFFIX .elf LINKER_LANGUAGE C
        EXPORT_COMPILE_COMMANDS OFF
        LINK_DEPENDS "${arch}/program.ld;${load}/tables.ld;${load}/refused.ld")
    target_include_directories(${target} PRIVATE
        ${LICHEN_ROOT}/os/include ${arch}/include ${LICHEN_CHIP_DIR}/include)
    target_compile_definitions(${target} PRIVATE LICHEN_LOADED)
    target_compile_options(${target} PRIVATE ${LICHEN_ARCH_PROGRAM_FLAGS}
        $<$<COMPILE_LANGUAGE:C>:-include${load}/program_calls.h>
        # As in the system: a loop is not to become a call of the C library.
        $<$<COMPILE_LANGUAGE:C>:-fno-tree-loop-distribute-patterns>
        $<$<COMPILE_LANGUAGE:ASM>:-I${arch};-I${load}>)
    target_link_options(${target} PRIVATE
        ${LICHEN_ARCH_FLAGS} -nostartfiles ${LICHEN_ARCH_LINK_FLAGS} -T${arch}/program.ld -L${load} ${LICHEN_ARCH_LOADED_FLAGS}
        LINKER:--emit-relocs LINKER:--gc-sections LINKER:--fatal-warnings
        LINKER:-Map=${output}.loaded.map)
    set_property(TARGET ${target} APPEND PROPERTY ADDITIONAL_CLEAN_FILES ${CMAKE_BINARY_DIR}/${output}.loaded.map)
endfunction()

# What the manifest's text says about loading: sets LICHEN_LOADABLE if it has a table [load], and LICHEN_CALLS to the
# groups that [programs] lists.
function(lichen_read_load manifest)
    file(READ ${manifest} text)
    string(REGEX REPLACE "#[^\n]*" "" text "\n${text}\n")
    set(loadable OFF)
    if(text MATCHES "\n[ \t]*\\[load\\]")
        set(loadable ON)
    endif()
    set(calls)
    if(text MATCHES "\n[ \t]*\\[programs\\]([^\n]*\n+[ \t]*[a-z_]+[ \t]*=[^[]*)*\n[ \t]*calls[ \t]*=[ \t]*\\[([^]]*)\\]")
        string(REGEX MATCHALL "[a-z_]+" calls "${CMAKE_MATCH_2}")
    endif()
    set(tables ${LICHEN_ROOT}/os/load/calls)
    foreach(group IN LISTS calls)
        if(NOT EXISTS ${tables}/${group}.c AND NOT EXISTS ${tables}/${LICHEN_ARCH}/${group}.c)
            file(GLOB groups ${tables}/*.c ${tables}/${LICHEN_ARCH}/*.c)
            list(TRANSFORM groups REPLACE "^.*/(.*)\\.c$" "\\1")
            list(SORT groups)
            list(JOIN groups ", " groups)
            lichen_place_of("${group}" ${manifest} place)
            message(FATAL_ERROR "${place}There is no group of calls '${group}'. Groups are: ${groups}")
        endif()
    endforeach()
    if(calls AND LICHEN_CPU_TIME)
        message(FATAL_ERROR "${manifest}: programs are not loaded into an image that counts CPU time ([build] cpu_time)")
    endif()
    set(key)
    if(text MATCHES "\n[ \t]*\\[programs\\]([^\n]*\n+[ \t]*[a-z_]+[ \t]*=[^\n]*)*\n[ \t]*key[ \t]*=[ \t]*\"([^\"\n]*)\"")
        set(key ${CMAKE_MATCH_2})
        get_filename_component(folder ${manifest} ABSOLUTE)
        get_filename_component(folder ${folder} DIRECTORY)
        get_filename_component(key ${key} ABSOLUTE BASE_DIR ${folder})
    endif()
    # Spare slots for events of programs, and the bytes of stack that each of these may use. A list, which may have several
    # lines, has the only brackets between them and the head.
    set(events 0)
    set(event_stack 0)
    set(head "\n[ \t]*\\[programs\\]([^[]|=[ \t]*\\[[^]]*\\])*\n[ \t]*")
    if(text MATCHES "${head}events[ \t]*=[ \t]*([0-9]+)")
        set(events ${CMAKE_MATCH_2})
        set(event_stack 128)
    endif()
    if(text MATCHES "${head}event_stack[ \t]*=[ \t]*([0-9]+)")
        set(event_stack ${CMAKE_MATCH_2})
    endif()
    set(LICHEN_EVENTS "${events}" PARENT_SCOPE)
    set(LICHEN_EVENT_STACK "${event_stack}" PARENT_SCOPE)
    set(LICHEN_KEY "${key}" PARENT_SCOPE)
    set(LICHEN_LOADABLE ${loadable} PARENT_SCOPE)
    set(LICHEN_CALLS "${calls}" PARENT_SCOPE)
endfunction()

# Gives the image `target` its LICHEN_EVENTS spare slots.
function(lichen_event_slots target)
    if(LICHEN_EVENTS)
        target_link_options(${target} PRIVATE LINKER:-u,program_event_run LINKER:--defsym=programs_events=${LICHEN_EVENTS}
            LINKER:--defsym=programs_event_stack=${LICHEN_EVENT_STACK})
    endif()
endfunction()

# Gives the image `target` the key in the file LICHEN_KEY. Where there is no such file, it trusts nobody, which `lichen build`
# says.
function(lichen_key target output)
    if(NOT EXISTS "${LICHEN_KEY}")
        return()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${LICHEN_KEY})
    file(STRINGS ${LICHEN_KEY} digits LIMIT_COUNT 1)
    if(NOT digits MATCHES "^[0-9a-fA-F]+$" OR NOT digits MATCHES "^................................$")
        message(FATAL_ERROR "${LICHEN_KEY} is no key: a key is one line of 32 hexadecimal digits; `lichen key` makes one")
    endif()
    string(REGEX REPLACE "(..)" "0x\\1, " bytes ${digits})
    set(source ${CMAKE_BINARY_DIR}/key/${output}.c)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <lichen/arch.h>
extern const uint8_t load_key[16];
const uint8_t load_key[16] ARCH_FLASH_PLACED(load_key) = {${bytes}};
" @ONLY)
    target_sources(${target} PRIVATE ${source})
    target_link_options(${target} PRIVATE LINKER:-u,mac_check_keyed)
endfunction()
