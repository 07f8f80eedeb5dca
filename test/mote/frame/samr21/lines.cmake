# SPDX-License-Identifier: MIT OR Apache-2.0
#
# The interrupts that software requests in tests (software_interrupt.h). A program whose drivers have these timers
# sets others before it calls lichen_force().
set(LICHEN_SOFTWARE_LINES
    SOFTWARE_LINE_0=15u SOFTWARE_VECTOR_0=TCC0 SOFTWARE_VECTOR_1=TCC1 SOFTWARE_VECTOR_2=TCC2
    SOFTWARE_DRIVER_LINE=18u SOFTWARE_DRIVER_VECTOR=TC3)
