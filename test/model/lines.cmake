# SPDX-License-Identifier: MIT OR Apache-2.0
# The interrupts that histories request by software where alarms are set: on the SAM R21 those of the frame but TCC2, which
# counts alarms. Programs that are written from histories include this, too.
if(LICHEN_CHIP STREQUAL samr21)
    set(model_lines SOFTWARE_LINE_0=18u SOFTWARE_VECTOR_0=TC3 SOFTWARE_VECTOR_1=TC4 SOFTWARE_VECTOR_2=TC5
        SOFTWARE_DRIVER_LINE=16u SOFTWARE_DRIVER_VECTOR=TCC1)
endif()
