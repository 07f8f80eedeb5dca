# SPDX-License-Identifier: MIT OR Apache-2.0
# Cross compiler for AVR: gcc and avr-libc, as Debian's gcc-avr and avr-libc install them.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR avr)

# LICHEN_TOOLCHAIN_PREFIX may name another installation, such as /opt/avr/bin/avr-.
set(LICHEN_TOOLCHAIN_PREFIX avr- CACHE STRING "Path and prefix of the cross tools")
find_program(LICHEN_CC ${LICHEN_TOOLCHAIN_PREFIX}gcc)
if(NOT LICHEN_CC)
    message(FATAL_ERROR
        "${LICHEN_TOOLCHAIN_PREFIX}gcc is not on the PATH. On Debian: apt-get install gcc-avr avr-libc")
endif()
set(CMAKE_C_COMPILER ${LICHEN_CC})
set(CMAKE_ASM_COMPILER ${LICHEN_CC})
find_program(CMAKE_OBJCOPY ${LICHEN_TOOLCHAIN_PREFIX}objcopy REQUIRED)

# CMake's test programs cannot be linked without start-up code and a memory layout.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# gcc 5 does not map the names in __FILE__.
set(LICHEN_PREFIX_MAP debug)
# The chip's folder names the device. Cooperative threads return the addresses of labels on purpose.
set(LICHEN_ARCH_FLAGS -mmcu=${LICHEN_DEVICE} -mrelax -mstrict-X -gdwarf-4 -Wno-return-local-addr)
# Of code that runs seldom: registers are saved and restored by routines of the compiler's library, in some 40 cycles more.
set(LICHEN_ARCH_SMALL_FLAGS -mcall-prologues)
# Where the linker shortens calls, it leaves some ranges of inlined functions in the debug information too long.
set(LICHEN_ARCH_DEBUG_FLAGS -mno-relax)
set(LICHEN_ARCH_LINK_FLAGS -mrelax -Wl,--emit-relocs)
# Programs that are loaded (program.ld): the compiler tells the linker that data begins where the chip's does.
set(LICHEN_ARCH_LOADED_FLAGS LINKER:--section-start=.data=0x808000)
