# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

# They set the clock by the chip's contract with the kernel.
row(adc_sample_48mhz i2c_read_48mhz INNER BOARDS hamilton)
row(adc_sample_8mhz i2c_read_8mhz BOARDS hamilton)
row(idle_calibrated idle_plain SOURCES idle.c BOARDS hamilton)
row(wakeup_48mhz wakeup_8mhz wakeup_read_48mhz wakeup_read_8mhz SOURCES wakeup.c BOARDS hamilton)
row(work_48mhz SOURCES work.c OPTIONS CLOCK "48 MHz" BOARDS hamilton)
row(work_8mhz SOURCES work.c OPTIONS CLOCK "8 MHz" BOARDS hamilton)
row(work_adaptive SOURCES work.c BOARDS hamilton)

# The program `sense` with another interval in seconds, and with another limit of the age of what is kept in milliseconds.
set(sense SOURCES ../../app/sense/sense.c sense_period.c DEFINES)
foreach(seconds 10 20 30 60 120 300)
    row(sense_${seconds}s ${sense} SENSE_PERIOD_S=${seconds} SENSE_ROUND_MS=1000 BOARDS hamilton)
endforeach()
set(kept ${sense} SENSE_PERIOD_S=30 SENSE_ROUND_MS=1000)
set(not_kept ${sense} SENSE_PERIOD_S=30 SENSE_ROUND_MS=0)
row(sense_48mhz ${kept} OPTIONS CLOCK "48 MHz" BOARDS hamilton)
row(sense_read_48mhz ${kept} OPTIONS CLOCK "48 MHz" TICK read BOARDS hamilton)
row(sense_read_8mhz ${kept} OPTIONS TICK read BOARDS hamilton)
row(sense_uncached ${not_kept} BOARDS hamilton)
row(sense_nothing ${not_kept} OPTIONS CLOCK "48 MHz" TICK read BOARDS hamilton)
