# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

# With an interrupt that the program requests itself.
row(event semaphore_interrupt switch_preempt switch_preempt_keeping woven
    SOURCES ${LICHEN_CHIP}/signal.c INCLUDES ${LICHEN_CHIP})
row(none SOURCES ../kinds/none.c)
row(semaphore_round DEFINES PARTNER=PRIORITY_APP)
row(semaphore_round_urgent SOURCES semaphore_round/semaphore_round.c DEFINES PARTNER=PRIORITY_HIGH)
row(switch_yield_counting SOURCES switch_yield/switch_yield.c OPTIONS CPU_TIME ON BOARDS hamilton)
