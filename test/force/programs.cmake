# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

# Without preemptive threads.
row(alone FRAME force_alone SOURCES alone/alone.c coop/jobs.c coop/workers.c)
row(events_alone FRAME force_events SOURCES events_alone/events_alone.c events/weave.c coop/jobs.c coop/workers.c)

row(code SOURCES kernel/post.c)
row(coop SOURCES coop/coop.c coop/jobs.c coop/workers.c)
row(long SOURCES long/long.c long/deadlines.c long/clock.c)
row(slices SOURCES kernel/post.c)
row(state_mutex state_queue state_samples state_semaphore timers SOURCES kernel/time.c)
row(sync SOURCES sync/sync.c sync/mutex.c sync/condition.c sync/barrier.c sync/reference.c
    kernel/post.c kernel/semaphore.c kernel/time.c)
row(threads SOURCES threads/threads.c threads/life.c threads/create.c threads/queue.c threads/queue_rt.c
    kernel/post.c kernel/time.c)
row(wait_barrier wait_condition wait_join wait_mutex wait_notify wait_queue wait_reference wait_room wait_samples
    wait_semaphore wait_service wait_sleep SOURCES waits/waits.c)

# Over a medium, and over ports, that the program plays.
row(counter log volume SOURCES storage/storage.c ../mote/storage_faults/played_medium.c DEFINES PLAYED_PAGES=8
    OPTIONS FORCE_DEEPER 128 REPLACES played_medium.c)
row(i2c REPLACES i2c.c port.c)
row(spi REPLACES spi.c port.c)

# Over radios that the program plays.
row(bytes SOURCES radio/waiting.c ../mote/link_bytes/fake_driver.c INNER REPLACES fake_driver.c)
set(receiving SOURCES radio/waiting.c ../mote/link/fake_radio.c ../mote/link/facts.c INNER REPLACES facts.c fake_radio.c)
row(receiving ${receiving})

# A loaded program, and a test in place of the loader.
row(loaded INNER REPLACES played_loader.c)

# It prints itself.
row(message REPLACES message.c)

# Over the board's radio, as radio is.
row(link SOURCES radio/waiting.c)

# TCC2 counts alarms, and the radio's driver has TCC0 for its times.
if(LICHEN_CHIP STREQUAL samr21)
    set(lines LINES SOFTWARE_LINE_0=18u SOFTWARE_VECTOR_0=TC3 SOFTWARE_VECTOR_1=TC4 SOFTWARE_VECTOR_2=TC5
        SOFTWARE_DRIVER_LINE=16u SOFTWARE_DRIVER_VECTOR=TCC1)
    row(alarms radio ${lines})
    row(link SOURCES radio/waiting.c ${lines})
    row(receiving ${receiving} ${lines})
endif()
