# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs as rows. A room is a folder of programs of one kind, such as test/mote. A folder in it is a program, its C files
# the sources, its lichen.toml the settings, without a line of CMake. What is different stands in the room's programs.cmake:
#
#     row(coop_sleep SOURCES deadlines/played_clock.c deadlines/random.c INNER)
#
#   row(NAME... [FRAME name] [SOURCES file...] [INCLUDES folder...] [INNER] [DEFINES name=value...]
#       [LINES name=value...] [OPTIONS option value...] [REPLACES file...] [BOARDS board...])
#
#   NAME       the program, or several with the same row. It needs no folder if all its sources are elsewhere
#   FRAME      another frame than the room's: a function of frames.cmake without `lichen_`, or app for none
#   SOURCES    files besides those of the program's folder, and INCLUDES folders of headers; both relative to the room. A row
#              that lists files of the program's own folder lists all its files, in the order in which they are linked
#   INNER      it includes headers that are not for programs: what it tests is not public, or it counts cycles
#   LINES      interrupts that it requests by software, in place of those of the frame
#   OPTIONS    settings of the build (lichen.cmake) that lichen.toml does not have, such as C_TEXTS ON
#   REPLACES   those of its sources that take the place of some of the system's files, by their names without folders: no
#              other file may define a name of the system's
#   BOARDS     of a bench: those that it runs on, if not all of its group

# Keeps a row of the room that is being read.
function(row)
    set(keys FRAME SOURCES INCLUDES INNER DEFINES LINES OPTIONS REPLACES BOARDS)
    set(names)
    foreach(word IN LISTS ARGN)
        if(word IN_LIST keys)
            break()
        endif()
        list(APPEND names ${word})
        list(POP_FRONT ARGN)
    endforeach()
    foreach(name IN LISTS names)
        set(row_${name} "${ARGN}" PARENT_SCOPE)
    endforeach()
    set(rows ${rows} ${names} PARENT_SCOPE)
endfunction()

# Defines the programs of a room that run on the board: its folders, and those that only have a row. A folder that has the
# name of a chip holds what is of that chip.
function(room room)
    set(rows)
    include(${LICHEN_ROOT}/${room}/programs.cmake OPTIONAL)
    # Programs of benches need no manifest: the plan of their group names the boards.
    set(what lichen.toml)
    if(room MATCHES "^bench/")
        set(what *.c)
        is_on_board(${LICHEN_ROOT}/${room}/bench.toml is_here)
        if(NOT is_here)
            return()
        endif()
    endif()
    file(GLOB folders CONFIGURE_DEPENDS ${LICHEN_ROOT}/${room}/*/${what})
    file(GLOB chips RELATIVE ${LICHEN_ROOT}/os/chip ${LICHEN_ROOT}/os/chip/*)
    list(TRANSFORM folders REPLACE "/[^/]*$" "")
    list(TRANSFORM folders REPLACE "^.*/" "")
    list(APPEND folders ${rows})
    list(REMOVE_DUPLICATES folders)
    list(REMOVE_ITEM folders ${chips})
    foreach(name IN LISTS folders)
        is_on_board(${LICHEN_ROOT}/${room}/${name}/lichen.toml is_here)
        if(is_here)
            program(${room} ${name} ${ARGN} ${row_${name}})
        endif()
    endforeach()
endfunction()

# Whether the board is among those that a manifest, or the plan of a group of benches, begins with. Where there is none, all
# boards are.
function(is_on_board file is_here)
    set(${is_here} TRUE PARENT_SCOPE)
    if(EXISTS ${file})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
        file(STRINGS ${file} boards REGEX "^boards *=" LIMIT_COUNT 1)
        if(NOT boards MATCHES "\"${BOARD}\"")
            set(${is_here} FALSE PARENT_SCOPE)
        endif()
    endif()
endfunction()

# Whether anything uses the second link of a program (os/again.cmake): few tests are run on it, too, as test.again of their
# manifests says. LICHEN_AGAIN takes all.
function(lichen_is_used_again room name again)
    set(found ${LICHEN_AGAIN})
    set(manifest ${LICHEN_ROOT}/${room}/${name}/lichen.toml)
    if(EXISTS ${manifest})
        file(STRINGS ${manifest} line REGEX "^again *= *true" LIMIT_COUNT 1)
        if(line)
            set(found TRUE)
        endif()
    endif()
    set(${again} "${found}" PARENT_SCOPE)
endfunction()

# One program. It is not there on a chip for which a file is missing.
function(program room name)
    cmake_parse_arguments(PARSE_ARGV 2 row "INNER" "" "FRAME;SOURCES;INCLUDES;DEFINES;LINES;OPTIONS;REPLACES;BOARDS")
    if(row_BOARDS AND NOT BOARD IN_LIST row_BOARDS)
        return()
    endif()
    lichen_is_used_again(${room} ${name} again)
    set(LICHEN_LTO ${again})
    # What is below takes this for the program's folder.
    set(CMAKE_CURRENT_SOURCE_DIR ${LICHEN_ROOT}/${room}/${name})
    set(LICHEN_OUTPUT ${room}/${name}/${name})
    list(TRANSFORM row_INCLUDES PREPEND ${LICHEN_ROOT}/${room}/)
    file(GLOB own CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
    set(sources)
    foreach(source IN LISTS row_SOURCES)
        get_filename_component(source ${source} ABSOLUTE BASE_DIR ${LICHEN_ROOT}/${room})
        if(NOT EXISTS ${source})
            return()
        endif()
        list(APPEND sources ${source})
    endforeach()
    list(POP_BACK row_FRAME frame)
    if(NOT frame)
        set(frame app)
    endif()
    foreach(value IN LISTS row_OPTIONS)
        if(option)
            set(LICHEN_${option} ${value})
            set(option)
        else()
            set(option ${value})
        endif()
    endforeach()
    if(row_LINES)
        set(LICHEN_SOFTWARE_LINES ${row_LINES})
    endif()
    string(REPLACE "/" "." target ${room}/${name})
    set(after)
    set(lists_own ${sources})
    list(FILTER lists_own INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/")
    if(own AND NOT lists_own AND NOT frame STREQUAL test)
        set(after ${sources})
        set(sources ${own})
    endif()
    cmake_language(CALL lichen_${frame} ${target} SOURCES ${sources})
    target_sources(${target} PRIVATE ${after})
    target_include_directories(${target} PRIVATE ${row_INCLUDES})
    if(row_INNER)
        target_include_directories(${target} PRIVATE ${LICHEN_ROOT}/os ${LICHEN_CHIP_DIR})
    endif()
    target_compile_definitions(${target} PRIVATE ${row_DEFINES})
    if(row_REPLACES)
        lichen_replaces(${LICHEN_OUTPUT} ${row_REPLACES})
    endif()
endfunction()

# The examples, which have their own CMakeLists.txt, as any program of a user; with the second link, which `lichen test
# again` compares with the ordinary one.
function(examples)
    set(LICHEN_LTO ON)
    file(GLOB manifests CONFIGURE_DEPENDS ${LICHEN_ROOT}/app/*/lichen.toml)
    foreach(manifest IN LISTS manifests)
        get_filename_component(folder ${manifest} DIRECTORY)
        get_filename_component(name ${folder} NAME)
        is_on_board(${manifest} is_here)
        if(is_here)
            set(LICHEN_OUTPUT app/${name}/${name})
            add_subdirectory(${folder} app/${name})
        endif()
    endforeach()
endfunction()

# Programs that must not build, one file each: the head of each says how it is refused, and on which board, if that is not
# the Hamilton (`lichen test refused`).
function(refused_programs)
    file(GLOB files CONFIGURE_DEPENDS ${LICHEN_ROOT}/test/refused/*.c)
    foreach(file IN LISTS files)
        file(STRINGS ${file} place REGEX "^ \\* on: ")
        if(NOT place)
            set(place " * on: hamilton")
        endif()
        if(place STREQUAL " * on: ${BOARD}")
            get_filename_component(name ${file} NAME_WE)
            set(LICHEN_OUTPUT test/refused/${name})
            set(LICHEN_LTO OFF)
            lichen_app(refused.${name} SOURCES ${file})
            set_target_properties(refused.${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
        endif()
    endforeach()
endfunction()
