# SPDX-License-Identifier: MIT OR Apache-2.0
# Programs of this room that need a row: test/rows.cmake.

row(scheduler switch_preempt INCLUDES ${LICHEN_CHIP})
row(task_flash task_ram INCLUDES ${LICHEN_CHIP} INNER BOARDS hamilton)
