# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

# What they test is not public, or they count cycles or change the clock, by the chip's contract with the kernel.
row(calls calls_link clock clock_random clock_request clock_serial code_asleep conversion cycles_awake dma ieee802154 radio random registers
    sensor_motion shared short_alarm_clock single_slice slice wake_ups INNER)

# The same, and they play what is below it.
row(calibration_policy INNER REPLACES calibration_policy.c)
row(cipher INNER REPLACES of_chip.c)
row(coop_sleep SOURCES deadlines/played_clock.c deadlines/random.c INNER REPLACES played_clock.c random.c)
row(deadlines INNER REPLACES played_clock.c random.c)
row(code_flash code_fuses INNER)
row(loader INNER)
row(loader_log SOURCES loader/container.c INNER)
row(flash INNER REPLACES flash.c)
row(flash_wait INNER REPLACES flash_wait.c)
row(linker INCLUDES packet_cost/${LICHEN_CHIP} INNER REPLACES linker.c)
row(memory INCLUDES packet_cost/${LICHEN_CHIP} INNER REPLACES memory.c)
row(packet_cost INNER REPLACES packet_cost.c)
row(short INNER REPLACES short.c)
row(program INNER REPLACES played.c)
row(program_events INNER REPLACES program_events.c)
row(program_panic SOURCES program/played.c INNER REPLACES played.c)
row(tick_length INNER REPLACES tick_length.c)

# A loader that only notes what it is asked for.
row(loader_serial INNER REPLACES played_loader.c)

# It plays the generator of random numbers.
row(noise INNER REPLACES noise.c)

# A part of a radio, and of a sensor, that fail when the test says so.
row(radio_part INNER REPLACES radio_part.c)
row(sensor_supply REPLACES sensor_supply.c)

# Media that fail when the test says so.
row(storage_faults INNER DEFINES PLAYED_PAGES=8 REPLACES played_medium.c)
row(counter link_security
    SOURCES storage_faults/played_medium.c INNER DEFINES PLAYED_PAGES=8 REPLACES played_medium.c)

# Reasons for losses, and frames, by the names that the link uses.
row(link INNER REPLACES facts.c fake_radio.c)
row(link_acknowledged SOURCES link/fake_radio.c REPLACES facts.c fake_radio.c)
row(link_backoff SOURCES link/fake_radio.c link_software/facts.c REPLACES facts.c fake_radio.c)
row(link_bytes INNER REPLACES fake_driver.c)
row(link_bytes_least link_bytes_most SOURCES link_bytes/fake_driver.c INNER REPLACES fake_driver.c)
row(link_bytes_deadlines INNER)
row(link_bytes_unheard SOURCES link_bytes/fake_driver.c INNER REPLACES fake_driver.c)
row(link_children SOURCES link/fake_radio.c link/played.c link/facts.c INNER REPLACES facts.c fake_radio.c)
row(link_children_filtered
    SOURCES link_children/children.c link_children/parents.c link/fake_radio.c link/played.c INNER
    REPLACES facts.c fake_radio.c)
row(link_children_software
    SOURCES link_children/children.c link_children/parents.c link/fake_radio.c link/played.c link_software/facts.c INNER
    REPLACES facts.c fake_radio.c)
row(link_cost SOURCES link/fake_radio.c link/facts.c INCLUDES packet_cost/${LICHEN_CHIP} INNER
    REPLACES facts.c fake_radio.c link_cost.c)
row(link_in_turn link_random SOURCES link/fake_radio.c link/facts.c REPLACES facts.c fake_radio.c)
row(link_counters SOURCES link/fake_radio.c link/facts.c storage_faults/played_medium.c INNER DEFINES PLAYED_PAGES=4
    REPLACES facts.c fake_radio.c played_medium.c)
row(link_polling SOURCES link/fake_radio.c link/played.c link/facts.c INNER REPLACES facts.c fake_radio.c)
row(link_polling_filtered
    SOURCES link_polling/polling.c link/fake_radio.c link/played.c link_children_filtered/facts.c INNER
    REPLACES facts.c fake_radio.c)
row(link_polling_software
    SOURCES link_polling/polling.c link/fake_radio.c link/played.c link_software/facts.c INNER
    REPLACES facts.c fake_radio.c)
row(link_secured SOURCES link/fake_radio.c link/facts.c INNER REPLACES facts.c fake_radio.c)
row(link_random_threads
    SOURCES link_random/link_random.c link/fake_radio.c link/facts.c REPLACES facts.c fake_radio.c)
row(link_threads
    SOURCES link/sending.c link/access.c link/transfers.c link/settings.c link/receiving.c link/losses.c
        link/fake_radio.c link/played.c link/facts.c INNER
    REPLACES facts.c fake_radio.c)
row(link_sequence SOURCES link/fake_radio.c link/played.c link/facts.c INNER REPLACES facts.c fake_radio.c)
row(link_unheard link_usual SOURCES link/fake_radio.c link/facts.c REPLACES facts.c fake_radio.c)
row(link_software
    SOURCES link/sending.c link/access.c link/transfers.c link/settings.c link/receiving.c link/losses.c
        link/fake_radio.c link/played.c INNER
    REPLACES facts.c fake_radio.c)

# Without the frame, which is a thread and needs the console: they write to the port themselves.
row(coop_alone event_alone undeclared FRAME test_alone)
row(rt_alone FRAME test_alone DEFINES TASK_PRIORITY=1)
row(rt_urgent FRAME test_alone SOURCES rt_alone/rt_alone.c DEFINES TASK_PRIORITY=0)

# How much the oscillator is slow with the seed of the program's manifest.
row(calibration DEFINES OFF_PPM=-41859)
row(calibration_slow SOURCES calibration/calibration.c DEFINES OFF_PPM=45040)

# Rings of many bytes, and of one.
row(uart DEFINES SEND_RING=16)
row(uart_least SOURCES uart/uart.c INCLUDES uart/${LICHEN_CHIP} DEFINES SEND_RING=1)

# The same tests with each way to keep the time.
row(random_timers INNER DEFINES JUMPS=1 STEPS=20000u)
row(random_million SOURCES random_timers/random_timers.c INCLUDES random_timers/${LICHEN_CHIP} INNER
    DEFINES JUMPS=1 STEPS=1000000u)
row(random_timers_calibrated SOURCES random_timers/random_timers.c INCLUDES random_timers/${LICHEN_CHIP} INNER
    DEFINES JUMPS=0 STEPS=20000u)
row(random_timers_read SOURCES random_timers/random_timers.c INCLUDES random_timers/${LICHEN_CHIP} INNER
    DEFINES JUMPS=1 STEPS=20000u)
row(readings DEFINES READING_MOST_US=500u READING_ALONE_US=270u SLOW_PERCENT=0u)
row(readings_calibrated
    SOURCES readings/readings.c DEFINES READING_MOST_US=620u READING_ALONE_US=290u SLOW_PERCENT=4u)
row(wrap DEFINES LATE_BY_US=1000u)
row(wrap_calibrated SOURCES wrap/wrap.c DEFINES LATE_BY_US=1100u)
# Ten readings for each alarm, and two alarms 80 us apart.
row(wrap_read SOURCES wrap/wrap.c DEFINES LATE_BY_US=3000u)

# The kernel's C in place of the architecture's assembly.
row(texts_condition SOURCES condition/condition.c OPTIONS C_TEXTS ON)
row(texts_coop SOURCES coop/coop.c INCLUDES coop/${LICHEN_CHIP} OPTIONS C_TEXTS ON)
row(texts_event SOURCES event/event.c OPTIONS C_TEXTS ON)
row(texts_mutex SOURCES mutex/mutex.c mutex/service.c OPTIONS C_TEXTS ON)
row(texts_notify SOURCES notify/notify.c notify/equals.c OPTIONS C_TEXTS ON)
row(texts_queue SOURCES queue/queue.c queue/queue_rt.c OPTIONS C_TEXTS ON)
row(texts_semaphore SOURCES semaphore/semaphore.c OPTIONS C_TEXTS ON)

row(unwoven SOURCES woven/pairs.c)
