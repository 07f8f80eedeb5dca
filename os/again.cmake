# SPDX-License-Identifier: MIT OR Apache-2.0
# A program's second link, in which the compiler sees the program and all that it uses of the system at once. `lichen build`
# reads from the map of the ordinary link which files of the system those are, and has exactly these compiled for it:
# doc/decisions/0032-programs-are-linked-twice.md.
#
#   once/NAME.elf        the ordinary link (lichen.cmake)
#   members/NAME         the objects of the system's files and the names that are kept, a line each, as `lichen build` writes it
#   relinked/NAME.o      all code, made as one. Addresses are not settled, so that it can be linked with one size of the
#                        kernel's stack and then with another one
#   NAME.elf             the image

# Names that linker scripts ask for. They are told apart from what nothing outside the code uses, by an object that mentions
# them.
set(asked "${LICHEN_CHOICES}")
file(GLOB scripts ${LICHEN_ROOT}/os/kernel/*.ld ${LICHEN_ROOT}/os/arch/${LICHEN_ARCH}/*.ld
    ${LICHEN_CHIP_DIR}/*.ld)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${scripts})
foreach(script IN LISTS scripts)
    file(READ ${script} text)
    string(APPEND asked "${text}")
endforeach()
string(REGEX REPLACE "/\\*[^*]*\\*+([^/*][^*]*\\*+)*/" "" asked "${asked}")
string(REGEX MATCHALL "(DEFINED|EXTERN) *\\([^)]*\\)|[?:][ \n]+[a-z][a-z0-9_]*" asked "${asked}")
list(TRANSFORM asked REPLACE "^([A-Z]+ *\\(|[?:][ \n]+)|\\)$" "")
list(JOIN asked " " asked)
string(REGEX REPLACE "[ ;]+" ";" asked "${asked}")
# What may be absent (features.cmake) stays weak: its definition says `used`.
list(REMOVE_ITEM asked ${LICHEN_OPTIONAL})
list(JOIN asked "\n.global " asked)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/asked.S CONTENT ".global ${asked}\n" @ONLY)

# The second link of `target`, which is linked with `archive`, as the image `output`.
function(lichen_link_again target output archive)
    set(LICHEN_ARCHIVE ${archive})
    get_target_property(libraries ${target} LINK_LIBRARIES)
    get_target_property(options ${target} LINK_OPTIONS)
    get_target_property(depends ${target} LINK_DEPENDS)
    add_library(${target}+lto OBJECT EXCLUDE_FROM_ALL)
    lichen_copy(${target} ${target}+lto SOURCES LINK_LIBRARIES)
    lichen_compile_again(${target}+lto)

    add_executable(${target}+code EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${target}+lto> ${CMAKE_BINARY_DIR}/asked.S)
    get_filename_component(folder ${CMAKE_BINARY_DIR}/relinked/${output} DIRECTORY)
    get_filename_component(name ${output} NAME)
    set_target_properties(${target}+code PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${folder} OUTPUT_NAME ${name} SUFFIX .o LINKER_LANGUAGE C
        EXPORT_COMPILE_COMMANDS OFF
        LINK_DEPENDS ${CMAKE_BINARY_DIR}/members/${output})
    target_compile_options(${target}+code PRIVATE ${LICHEN_ARCH_FLAGS})
    # Relocatable, but made as what is linked at last: what nothing outside refers to is not kept for others.
    set(needed ${options})
    list(FILTER needed INCLUDE REGEX "^LINKER:-u,")
    target_link_options(${target}+code PRIVATE ${needed}
        ${LICHEN_ARCH_FLAGS} ${LICHEN_CODE_FLAGS} ${LICHEN_ARCH_LTO_FLAGS} -Os -g3
        -r -nostdlib -flinker-output=exec -fwhole-program @${CMAKE_BINARY_DIR}/members/${output})
    lichen_rename_files(${target}+code)
    list(REMOVE_ITEM libraries ${archive} m)
    target_link_libraries(${target}+code PRIVATE ${libraries})

    set(object ${CMAKE_BINARY_DIR}/relinked/${output}.o)
    add_executable(${target}+again EXCLUDE_FROM_ALL ${object})
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    set_target_properties(${target}+again PROPERTIES LINKER_LANGUAGE C)
    add_dependencies(${target}+again ${target}+code)
    lichen_image(${target}+again ${output})
    list(TRANSFORM options REPLACE "once/${output}" "${output}")
    target_link_options(${target}+again PRIVATE ${options})
    set_property(TARGET ${target}+again PROPERTY LINK_DEPENDS ${depends})
    target_link_libraries(${target}+again PRIVATE m)
endfunction()

# Files have the names of the ordinary compilation, relative to the repository's root. The compiler takes these for
# relative to where it compiled them, and leads there from where it makes code of them.
function(lichen_rename_files target)
    set(folders ${LICHEN_SYSTEM})
    get_target_property(archive ${LICHEN_ARCHIVE} IMPORTED_LOCATION)
    get_filename_component(archive ${archive} DIRECTORY)
    list(APPEND folders ${archive})
    list(REMOVE_DUPLICATES folders)
    target_link_options(${target} PRIVATE -f${LICHEN_PREFIX_MAP}-prefix-map=${CMAKE_BINARY_DIR}=)
    foreach(folder IN LISTS folders)
        file(RELATIVE_PATH folder ${CMAKE_BINARY_DIR} ${folder})
        target_link_options(${target} PRIVATE -f${LICHEN_PREFIX_MAP}-prefix-map=${folder}/=)
    endforeach()
endfunction()

# The system's C files, compiled for it: those of `target`, each when a program needs it.
function(lichen_archive_again target)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.c$")
    if(sources)
        add_library(${target}+lto OBJECT EXCLUDE_FROM_ALL ${sources})
        lichen_copy(${target} ${target}+lto)
        lichen_compile_again(${target}+lto)
    endif()
endfunction()

# Gives `to` what is compiled of `from`, and how, with the properties that are named.
function(lichen_copy from to)
    foreach(property COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES COMPILE_FEATURES C_EXTENSIONS ${ARGN})
        get_target_property(value ${from} ${property})
        if(value)
            set_property(TARGET ${to} PROPERTY ${property} "${value}")
        endif()
    endforeach()
endfunction()

# Editors are told of the ordinary compilation alone.
function(lichen_compile_again target)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:C>:${LICHEN_ARCH_LTO_FLAGS}>")
    set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
endfunction()
