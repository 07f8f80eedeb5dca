# SPDX-License-Identifier: MIT OR Apache-2.0
# The SAM R21 family: Cortex-M0+, flash and RAM by the digits of the part's name.

set(LICHEN_CHIP_PARTS "^ATSAMR21[EG]1[678]A$")
set(LICHEN_ARCH armv6m)
set(LICHEN_LINKER_SCRIPT samr21.ld)
set(LICHEN_CHIP_TICKS calibrated read)
set(LICHEN_CHIP_CLOCKS "4 MHz" "8 MHz" "48 MHz")

if(LICHEN_CHIP_PART MATCHES "16A$")
    set(LICHEN_LINK_FLAGS LINKER:--defsym=FLASH_SIZE=64K,--defsym=RAM_SIZE=8K)
elseif(LICHEN_CHIP_PART MATCHES "17A$")
    set(LICHEN_LINK_FLAGS LINKER:--defsym=FLASH_SIZE=128K,--defsym=RAM_SIZE=16K)
else()
    set(LICHEN_LINK_FLAGS LINKER:--defsym=FLASH_SIZE=256K,--defsym=RAM_SIZE=32K)
endif()

# What the vectors are called to which a program or a driver may give a handler (vectors.S).
set(LICHEN_CHIP_HANDLERS NMI SysTick PM SYSCTRL WDT RTC EIC NVMCTRL DMAC USB EVSYS SERCOM0 SERCOM1 SERCOM2 SERCOM3 SERCOM4 SERCOM5
    TCC0 TCC1 TCC2 TC3 TC4 TC5 ADC AC PTC)
list(TRANSFORM LICHEN_CHIP_HANDLERS APPEND _handler)
