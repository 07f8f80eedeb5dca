# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of tests: lichen_app with one of the frames of test/, which report to the host or do what it asks.
#
#   lichen_test(NAME [SOURCES file...])           with the frame of test/mote/frame, for any program's tests (doc/spec/test.md)
#   lichen_test_alone(NAME [SOURCES file...])     with its headers only
#   lichen_force, lichen_force_alone, lichen_force_events, lichen_model, lichen_corrupt
#                                                 with those of test/force, test/model and test/corrupt
#   lichen_replaces(NAME file...)                 files of the program that take the place of some of the system's: `lichen
#                                                 build` refuses all other definitions of a name of the system's

# Where programs under test find the headers of the test frame: some say the same for each chip.
set(LICHEN_FRAME ${LICHEN_ROOT}/test/mote/frame ${LICHEN_ROOT}/test/mote/frame/${LICHEN_CHIP})
include(${LICHEN_ROOT}/test/mote/frame/${LICHEN_CHIP}/lines.cmake OPTIONAL)

# Tells each source file its name, relative to the repository's root, or its own folder's if it lies elsewhere:
# __FILE__ is a name on this machine. It does so at the end of the program's folder, when all sources are known.
function(lichen_name_sources target)
    cmake_language(EVAL CODE "cmake_language(DEFER CALL lichen_name_known_sources ${target})")
endfunction()

function(lichen_name_known_sources target)
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
        get_filename_component(path ${source} ABSOLUTE)
        file(RELATIVE_PATH name ${LICHEN_ROOT} ${path})
        if(name MATCHES "^\\.\\./")
            file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${path})
        endif()
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS TEST_FILE="${name}")
    endforeach()
endfunction()

# NAME is the path of the image below the build folder, without .elf.
function(lichen_replaces name)
    list(JOIN ARGN "\n" files)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/replaces/${name} CONTENT "${files}\n" @ONLY)
endfunction()

# What all programs of tests have: interrupts that they request themselves.
function(lichen_app_of_tests name)
    lichen_app(${name} ${ARGN})
    target_compile_definitions(${name} PRIVATE ${LICHEN_SOFTWARE_LINES})
endfunction()

# A test without the frame's thread: it may include the system's internal headers, and reports by itself.
function(lichen_test_alone name)
    lichen_app_of_tests(${name} ${ARGN})
    target_include_directories(${name} PRIVATE ${LICHEN_FRAME} ${LICHEN_ROOT}/os ${LICHEN_CHIP_DIR})
    lichen_name_sources(${name})
endfunction()

# Sources and headers of a test that are of one chip lie in a folder with the chip's name. What is listed after SOURCES
# comes on top of the folder's own files, and may include the headers beside it.
function(lichen_test name)
    cmake_parse_arguments(arg "" "" SOURCES ${ARGN})
    file(GLOB own CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c ${CMAKE_CURRENT_SOURCE_DIR}/${LICHEN_CHIP}/*.c)
    foreach(source IN LISTS arg_SOURCES)
        get_filename_component(source ${source} ABSOLUTE)
        get_filename_component(folder ${source} DIRECTORY)
        list(APPEND own ${source})
        list(APPEND folders ${folder})
    endforeach()
    list(REMOVE_DUPLICATES own)
    lichen_app_of_tests(${name} ${arg_UNPARSED_ARGUMENTS} SOURCES ${own})
    target_include_directories(${name} PRIVATE ${folders})
    target_include_directories(${name} PRIVATE ${LICHEN_FRAME} ${CMAKE_CURRENT_SOURCE_DIR}/${LICHEN_CHIP})
    lichen_test_frame(${name})
    lichen_name_sources(${name})
endfunction()

# Adds the frame, which is compiled once for all programs of one build folder with the same settings.
function(lichen_test_frame name)
    get_target_property(libraries ${name} LINK_LIBRARIES)
    list(GET libraries 0 archive)
    set(frame frame.${archive})
    if(NOT TARGET ${frame})
        add_library(${frame} OBJECT ${LICHEN_ROOT}/test/mote/frame/test.c)
        lichen_compile_options(${frame})
        get_target_property(options ${name} COMPILE_OPTIONS)
        set_property(TARGET ${frame} PROPERTY COMPILE_OPTIONS ${options})
        target_compile_definitions(${frame} PRIVATE ${LICHEN_SOFTWARE_LINES})
        target_include_directories(${frame} PRIVATE ${LICHEN_FRAME})
        target_link_libraries(${frame} PRIVATE ${archive})
        lichen_name_sources(${frame})
    endif()
    # Linked behind the program's own files.
    target_link_libraries(${name} PRIVATE $<TARGET_OBJECTS:${frame}>)
endfunction()

# Programs whose actors do what the host tells them (test/model).
function(lichen_model name)
    lichen_app_of_tests(${name} ${ARGN})
    set(frame ${LICHEN_ROOT}/test/model/frame)
    target_sources(${name} PRIVATE ${frame}/model.c)
    target_include_directories(${name} PRIVATE ${frame} ${frame}/${LICHEN_CHIP} ${LICHEN_FRAME})
    # For the host alone.
    target_link_options(${name} PRIVATE LINKER:-u,software_interrupts_of_levels)
endfunction()

# Its frame examines the kernel's state, so it includes the kernel's internal headers. `conductor` lists the files that
# depend on whether there are threads. Sources and headers of one chip lie in a folder with the chip's name.
function(lichen_force_conducted name conductor)
    lichen_app_of_tests(${name} ${ARGN})
    set(frame ${LICHEN_ROOT}/test/force/frame)
    file(GLOB of_chip CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${LICHEN_CHIP}/*.c)
    list(TRANSFORM conductor PREPEND ${frame}/)
    target_sources(${name} PRIVATE ${frame}/run.c ${conductor} ${of_chip})
    target_include_directories(${name} PRIVATE
        ${CMAKE_CURRENT_SOURCE_DIR}/${LICHEN_CHIP} ${frame} ${frame}/${LICHEN_ARCH} ${frame}/${LICHEN_CHIP}
        ${LICHEN_FRAME} ${LICHEN_ROOT}/os ${LICHEN_CHIP_DIR})
    # Bytes by which the actors' stacks are larger: the option FORCE_DEEPER of a row.
    set(deeper 0)
    if(LICHEN_FORCE_DEEPER)
        set(deeper ${LICHEN_FORCE_DEEPER})
    endif()
    target_compile_definitions(${name} PRIVATE FORCE_DEEPER=${deeper}u)
    # For the host alone.
    target_link_options(${name} PRIVATE LINKER:-u,software_interrupts_of_levels)
    lichen_name_sources(${name})
endfunction()

function(lichen_force name)
    lichen_force_conducted(${name}
        "force.c;carry.c;invariants.c;stacks.c;${LICHEN_ARCH}/registers.S" ${ARGN})
endfunction()

# A program whose memory is overwritten while it runs (test/corrupt).
function(lichen_corrupt name)
    lichen_app_of_tests(${name} ${ARGN})
    target_sources(${name} PRIVATE ${LICHEN_ROOT}/test/corrupt/frame/corrupt.c)
    target_include_directories(${name} PRIVATE
        ${CMAKE_CURRENT_SOURCE_DIR}/${LICHEN_CHIP} ${LICHEN_ROOT}/test/corrupt/frame ${LICHEN_FRAME})
endfunction()

# With cooperative threads only.
function(lichen_force_alone name)
    lichen_force_conducted(${name} alone.c ${ARGN})
endfunction()

# With cooperative threads and events.
function(lichen_force_events name)
    lichen_force_conducted(${name} "alone.c;carry.c" ${ARGN})
endfunction()
