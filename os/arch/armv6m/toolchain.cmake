# SPDX-License-Identifier: MIT OR Apache-2.0
# Cross compiler for ARMv6-M: the GNU Arm toolchain with newlib, as Debian's gcc-arm-none-eabi and
# libnewlib-arm-none-eabi install it.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)

# LICHEN_TOOLCHAIN_PREFIX may name another installation, such as /opt/gcc-arm/bin/arm-none-eabi-.
set(LICHEN_TOOLCHAIN_PREFIX arm-none-eabi- CACHE STRING "Path and prefix of the cross tools")
find_program(LICHEN_CC ${LICHEN_TOOLCHAIN_PREFIX}gcc)
if(NOT LICHEN_CC)
    message(FATAL_ERROR
        "${LICHEN_TOOLCHAIN_PREFIX}gcc is not on the PATH. On Debian: "
        "apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi")
endif()
set(CMAKE_C_COMPILER ${LICHEN_CC})
set(CMAKE_ASM_COMPILER ${LICHEN_CC})
find_program(CMAKE_OBJCOPY ${LICHEN_TOOLCHAIN_PREFIX}objcopy REQUIRED)

# CMake's test programs cannot be linked without start-up code and a memory layout.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(LICHEN_PREFIX_MAP file)
set(LICHEN_ARCH_FLAGS -mcpu=cortex-m0plus -mthumb)
# Instructions in the order of their lines, so that a debugger steps from line to line: the processor executes them in
# order, and gains nothing by another one.
set(LICHEN_ARCH_PROGRAM_FLAGS -fno-schedule-insns2)
# Relocations tell the addresses of functions from numbers that look like them (host/image).
set(LICHEN_ARCH_LINK_FLAGS --specs=nano.specs -Wl,--emit-relocs)
# Several files as one (os/again.cmake). A switch to another thread is no call that the compiler sees, so it must not conclude
# from what a function calls which variables it leaves alone.
set(LICHEN_ARCH_LTO_FLAGS -flto -flto-partition=none -fno-ipa-reference)
