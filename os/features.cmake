# SPDX-License-Identifier: MIT OR Apache-2.0
# What selects code: the one table of the system's files, and of what decides which of them a program contains. Included
# by lichen.cmake. doc/decisions/0026-one-table-selects-code.md says why it is so.
#
# A program contains what it refers to: the system is an archive, and the linker takes from it the files that define
# what is missing, and drops the functions that nothing calls. All else that decides is a row here:
#
#   lichen_files     the files, in the order in which they are linked. No file's name matters.
#   lichen_only      which of them a setting, the board or the architecture takes in or leaves out.
#   lichen_link      names that link a file when they are mentioned, and have no other meaning: what NEEDS, and the asm of
#                    declarations, may mention.
#   lichen_instead   a file that `lichen build` links in place of another one.
#   lichen_choice    functions of the kernel that are another one if some file is in the program, whatever links that.
#   lichen_choice_with   the same, where that one is in another file.
#   lichen_optional  functions that are called if some file is in the program, and whose address is 0 otherwise.
#   lichen_program   names of the system that a program may define.
#
# No other file of os/ says "weak" or mentions a name only to link a file (`lichen test structure`), and no other name that
# is used is defined by two files (`lichen build`).

include_guard(GLOBAL)

# -------- files

# lichen_files(FOLDER FILE...) in LICHEN_FILES, relative to os/. Folders of an architecture, a chip or a board are for that
# one alone.
set(LICHEN_FILES)
macro(lichen_files folder)
    if(NOT "${folder}" MATCHES "^(arch|chip|board)/" OR "${folder}" MATCHES "^(arch/${LICHEN_ARCH}|chip/${LICHEN_CHIP}|board/${BOARD})$")
        foreach(file ${ARGN})
            list(APPEND LICHEN_FILES ${folder}/${file})
        endforeach()
    endif()
endmacro()

lichen_files(arch/armv6m block.S coop.S events.S exclusive.S fault.S fault.c guard.S interrupted.S interrupted.c layout.c
    memcmp.S memcpy.S memset.S mutex.S notify_post.S notify_wait.S queue.S ram_vectors.c run.S semaphore.S
    semaphore_rt.S sequence.c slice.c start.S start.c switch.S)
lichen_files(arch/avr8 aes.S alone.S block.S coop.S data.S deliver.S events.S exclusive.S guard.S kernel.S layout.c levels.S
    mutex.S notify.S notify_wait.S panic.S panic_leave.S queue.S semaphore.S start.S start.c state.S switch.S u64.S yield.S)
lichen_files(base crc32.c error_name.c text.c)
lichen_files(board/hamilton adc.c apds9007.c board.c cipher.c console.c ekmb110.c fxos8700cq.c hdc1080.c i2c.c
    radio.c radio_spi.c sensors.c serial_number.c storage.c supply.c tmp006.c)
lichen_files(board/mica2 adc.c board.c cipher.c console.c hdc1080.c i2c.c mts300.c mts310.c radio.c radio_wires.c
    sensors.c serial_number.c storage.c supply.c uart.c)
lichen_files(board/micaz adc.c board.c cipher.c console.c hdc1080.c i2c.c mts300.c mts310.c radio.c radio_spi.c
    sensors.c serial_number.c storage.c supply.c uart.c)
lichen_files(board/samr21-xpro adc.c board.c cipher.c console.c hdc1080.c i2c.c radio.c radio_spi.c sensors.c
    serial_number.c spi.c storage.c supply.c uart.c)
lichen_files(chip/atmega128 adc.c capture.c capture_time.c chip.c clock.c code.c counter.c edges.c gpio.c i2c.c last_resort.c listen.c
    one_wire.c pwm.c reset.c reset_cause.c serve.c sleep_text.c slice.c spi.c spi_slave.c spm.S tc.c tick.c usart.c
    vectors.S wake.c watchdog.c)
lichen_files(chip/samr21 adc.c calibration.c chip.c clock.c clock_32k.c clock_8m.c clock_fixed.c code.c counter.c crystal.c
    cycles.c dma.c eic.c flash.c gpio.c i2c.c interrupt.c last_resort.c pwm.c pwm_tc.c radio.c radio_clock.c radio_line.c register.c
    reset.c serial_number.c sleep_text.c spi.c tc.c temperature.c tick.c tick_length.c tick_noted.c tick_read.c ticks_awake.c
    usart.c vectors.S wake.c watchdog.c)
lichen_files(crypto aes_box.c aes_bytes.c aes_words.c ccm.c cmac.c)
lichen_files(driver/adc adc.c)
lichen_files(driver/button button.c)
lichen_files(driver/calibration calibration.c)
lichen_files(driver/console console.c drain.c format.c line.c modules_of_programs.c print.c print_into.c syslog.c syslog_level.c
    syslog_rt.c syslog_sink.c whole.c)
lichen_files(driver/i2c i2c.c)
lichen_files(driver/led led.c)
lichen_files(driver/pwm pwm.c)
lichen_files(driver/radio/at86rf233 access.c driver.c receive.c setup.c times.c transmit.c)
lichen_files(driver/radio/cc1000 bytes.c channel.c driver.c packets.c receive.c setup.c times.c transmit.c)
lichen_files(driver/radio/cc2420 access.c driver.c receive.c setup.c times.c transmit.c)
lichen_files(driver/radio radio.c)
lichen_files(driver/random random.c)
lichen_files(driver/sensor apds9007.c at.c curve.c ekmb110.c fxos8700cq.c hdc1080.c linear.c mts300.c mts310.c
    of.c sensor.c supply.c text.c tmp006.c)
lichen_files(driver/serial_number ds2401.c serial_number.c)
lichen_files(driver/spi spi.c)
lichen_files(driver/storage at45db.c block.c block_open.c chip_flash.c code.c counter.c log.c log_open.c log_read.c page.c
    lock.c programs.c)
lichen_files(driver/uart uart.c)
lichen_files(kernel abi.c)
lichen_files(kernel/coop alarm.c chip_alarm.c each.c pass.c sleep.c stack.c state.c)
lichen_files(kernel/event dispatch.c notify.c notify_thread.c post.c woven.c)
lichen_files(kernel init.c)
lichen_files(kernel/msg queue.c queue_thread.c ring.c)
lichen_files(kernel/panic halts.c print.c record.c)
lichen_files(kernel/program crash.c events.c fill.c mutexes.c program.c threads.c)
lichen_files(kernel/power clock.c first.c limits.c power.c prepare_counting.c)
lichen_files(kernel/rt arm.c ram.c wake.c)
lichen_files(kernel start.c starts.c)
lichen_files(kernel/sync condition.c count.c mutex.c mutex_deadlock.c sync_thread.c semaphore.c semaphore_rt.c)
lichen_files(kernel/thread cpu_time.c create.c declared.c distinct.c end.c join.c priority.c ready.c slice.c
    syscall.c syscall_until.c thread.c yield.c)
lichen_files(kernel/time alarm.c clock.c deadline.c exact.c known.c noted.c sleep.c ticks.c timer.c timer_cancel.c
    timer_every.c)
lichen_files(kernel/watchdog limit.c watchdog.c)
lichen_files(load ahead.c air.c calls.c confirm.c crc.c directory.c error_text.c floor.c groups.c header.c install.c key.c linker.c loader.c mac.c partition.c partition_counter.c partition_volume.c place.c region.c run.c serial.c serial_receive.c table.c turn.c writer.c)
lichen_files(load/armv6m fields.c)
lichen_files(load/avr8 fields.c)
lichen_files(load/calls am.c barrier.c block.c button.c condition.c console.c console_input.c counter.c error.c exact.c led.c link.c log.c
    memory.c mutex.c notify.c print.c print_into.c program.c queue.c random.c reference.c semaphore.c
    sensor.c sensor_of.c serial_number.c shell.c syslog.c thread.c time.c timer.c)
lichen_files(load/calls/armv6m arithmetic.c division.c)
lichen_files(load/calls/avr8 arithmetic.c division.c)
lichen_files(net/am am.c dispatch.c programs.c receive.c)
lichen_files(net/byte_link access.c am.c begin.c child.c dispatch.c frames.c frames_usual.c losses.c open.c packets.c poll.c
    programs.c receive.c send.c threads.c)
lichen_files(net/ieee802154 build.c fcs.c header.c name.c parse.c)
lichen_files(net/link access.c acknowledge.c child.c form_events.c form_single.c form_threads.c guard.c headers.c ieee802154.c incoming.c losses.c
    messages.c open.c poll.c programs.c receive.c received.c renew.c send.c sequence.c transmit.c)
lichen_files(net/neighbour framed.c neighbour.c short.c usual.c)
lichen_files(net/packet alloc.c block.c bytes.c chain.c cursor.c grow.c look.c pool.c share.c spares.c time.c trim.c)
lichen_files(net/security devices.c frame.c header.c keys.c refusal.c)
lichen_files(service/dissemination feed.c leaf.c messages.c object.c parent.c rate_bytes.c rate_frames.c run.c send.c store.c trickle.c)
lichen_files(service/shell choice.c energy.c log.c number.c panic.c programs.c ps.c reboot.c sensors.c shell.c
    split.c uptime.c)

# -------- links

# lichen_link(NAME FILE...): to mention NAME, as a name that something else defines, links FILE, if it is of the architecture,
# chip and board.
function(lichen_link)
endfunction()

# What declarations of a program mention (os/include/lichen).
lichen_link(storage_program_stop driver/storage/programs.c)
lichen_link(coop_run kernel/coop/pass.c)
lichen_link(coop_stack kernel/coop/stack.c)
lichen_link(kernel_level arch/armv6m/events.S arch/avr8/events.S)
lichen_link(kernel_watchdog kernel/watchdog/watchdog.c)
lichen_link(dissemination_announce_of_leaf service/dissemination/leaf.c)
lichen_link(dissemination_handle_of_parent service/dissemination/parent.c)
lichen_link(link_guard net/link/guard.c)
lichen_link(link_acknowledge net/link/acknowledge.c)
lichen_link(link_headers_parse net/link/headers.c)
lichen_link(link_incoming net/link/incoming.c)
lichen_link(notify_deliver_rare kernel/event/notify.c)
lichen_link(power_choose_limited kernel/power/limits.c)
lichen_link(packet_chain_take net/packet/chain.c)
lichen_link(panic_halts kernel/panic/halts.c)
lichen_link(panic_on_deadlock kernel/sync/mutex_deadlock.c)
lichen_link(panic_reason_text kernel/panic/print.c)
lichen_link(partition_bind_declared load/partition.c)
lichen_link(partition_put_counter load/partition_counter.c)
lichen_link(partition_put_volume load/partition_volume.c)
lichen_link(syslog_level_text driver/console/syslog_level.c)
lichen_link(request_handler arch/avr8/levels.S)
lichen_link(rt_vectors_in_ram kernel/rt/ram.c)
lichen_link(semaphore_rt_direct arch/armv6m/semaphore_rt.S arch/avr8/deliver.S kernel/event/dispatch.c)
lichen_link(syslog_has_sink driver/console/syslog_sink.c)
lichen_link(threads_declared kernel/thread/declared.c)
lichen_link(woven_run kernel/event/woven.c)

# What an image mentions that exports the link, the shell, or messages to programs that it loads.
lichen_link(byte_link_deliver_of_programs net/byte_link/programs.c)
lichen_link(link_incoming_of_programs net/link/programs.c)
lichen_link(shell_find_of_programs service/shell/programs.c)
lichen_link(syslog_adjust_of_programs driver/console/modules_of_programs.c)

# What a file of the system mentions.
lichen_link(alone_serve arch/avr8/alone.S)
lichen_link(arch_reset arch/armv6m/start.c chip/atmega128/reset.c)
lichen_link(byte_link_next net/byte_link/access.c)
lichen_link(byte_link_received net/byte_link/receive.c)
lichen_link(chip_crystal chip/samr21/crystal.c)
lichen_link(chip_serve chip/atmega128/serve.c)
lichen_link(clock_32k chip/samr21/clock_32k.c)
lichen_link(clock_8m chip/samr21/clock_8m.c)
lichen_link(coop_alarm_among_deadlines kernel/coop/alarm.c)
lichen_link(coop_chip_alarm kernel/coop/chip_alarm.c)
lichen_link(deferred_TIMER1_OVF chip/atmega128/capture.c)
lichen_link(deferred_TIMER2_COMP chip/atmega128/slice.c)
lichen_link(interrupt_of_main arch/avr8/kernel.S)
lichen_link(dissemination_handle_usual service/dissemination/messages.c)
lichen_link(kernel_has_starts kernel/starts.c)
lichen_link(link_format_renew net/link/renew.c)
lichen_link(link_request_event net/link/form_events.c)
lichen_link(neighbour_hears net/neighbour/framed.c net/neighbour/short.c)
lichen_link(packet_unshare net/packet/share.c)
lichen_link(panic_begin kernel/panic/record.c)
lichen_link(mutex_take_of_programs kernel/program/mutexes.c)
lichen_link(panic_begin_of_programs kernel/program/crash.c)
lichen_link(thread_info_of_declared kernel/thread/thread.c)
lichen_link(thread_info_of_programs kernel/program/threads.c)
lichen_link(power_choose kernel/power/power.c)
lichen_link(power_first kernel/power/first.c)
lichen_link(radio_times driver/radio/at86rf233/times.c driver/radio/cc1000/times.c driver/radio/cc2420/times.c)
lichen_link(ready_insert_others kernel/thread/ready.c)
lichen_link(storage_write_code driver/storage/code.c)
lichen_link(sequence_restart arch/armv6m/sequence.c arch/avr8/start.c)
lichen_link(thread_exit kernel/thread/end.c)
lichen_link(thread_reprioritize_declared kernel/thread/priority.c)
lichen_link(threads_start kernel/thread/thread.c)
lichen_link(ticks_start kernel/time/ticks.c)

# What the build mentions: a clock that does not change, a tick that is calibrated, threads that are never equals, and a key
# for programs that are loaded.
lichen_link(clock_fixed chip/samr21/clock_fixed.c)
lichen_link(calibration driver/calibration/calibration.c)
lichen_link(threads_are_distinct kernel/thread/distinct.c)
lichen_link(load_air_serve load/air.c)
lichen_link(load_serial_serve load/serial.c)
lichen_link(mac_check_keyed load/mac.c)
lichen_link(program_event_run kernel/program/events.c)

# lichen_instead(FIRST SECOND): the only two files that define the same functions. Where `lichen build` mentions the name
# that links FIRST, before any file is linked, SECOND is not linked; for that FIRST comes first in lichen_files.
function(lichen_instead first second)
    list(FIND LICHEN_FILES ${first} before)
    list(FIND LICHEN_FILES ${second} behind)
    if(NOT before LESS behind)
        message(FATAL_ERROR "os/features.cmake: ${first} stands before ${second} in lichen_files")
    endif()
endfunction()

lichen_instead(kernel/thread/distinct.c kernel/thread/slice.c)

# -------- settings

# lichen_only(FILE... IF CONDITION): without the condition, the files are left out. Evaluated by lichen_sources, when the
# settings are known.
set(LICHEN_ONLY)
macro(lichen_only)
    string(REPLACE ";" " " row "${ARGN}")
    list(APPEND LICHEN_ONLY "${row}")
endmacro()

# How long threads have the processor.
lichen_only(kernel/thread/cpu_time.c IF LICHEN_CPU_TIME)

# Programs are loaded into images that do not count it: their threads are smaller.
lichen_only(load/calls/thread.c IF NOT LICHEN_CPU_TIME)
lichen_only(load/calls/armv6m/arithmetic.c load/calls/armv6m/division.c IF LICHEN_ARCH STREQUAL armv6m)
lichen_only(load/calls/avr8/arithmetic.c load/calls/avr8/division.c IF LICHEN_ARCH STREQUAL avr8)

# A clock that does not change.
lichen_only(chip/samr21/clock_fixed.c IF LICHEN_CLOCK_NAME)

# How the time is kept: cooperative, calibrated or read.
lichen_only(chip/samr21/tick.c chip/samr21/tick_noted.c IF NOT LICHEN_TICK STREQUAL read)
lichen_only(chip/samr21/tick_read.c IF LICHEN_TICK STREQUAL read)
lichen_only(chip/samr21/tick_length.c chip/samr21/calibration.c driver/calibration/calibration.c
    IF LICHEN_TICK STREQUAL calibrated)

# What the fields of programs are that are loaded.
lichen_only(load/armv6m/fields.c IF LICHEN_ARCH STREQUAL armv6m)
lichen_only(load/avr8/fields.c IF LICHEN_ARCH STREQUAL avr8)

# The link of the board's radio: doc/decisions/0034-byte-radios-have-their-own-link.md.
lichen_only(net/am/am.c net/am/dispatch.c net/am/receive.c net/link/access.c net/link/acknowledge.c net/link/child.c net/link/form_events.c net/link/form_single.c
    net/link/form_threads.c net/link/guard.c net/link/headers.c net/link/ieee802154.c net/link/incoming.c net/link/losses.c net/link/messages.c
    net/link/open.c net/link/poll.c net/link/programs.c net/link/receive.c net/link/received.c net/link/renew.c net/link/send.c net/link/sequence.c
    net/link/transmit.c net/neighbour/framed.c IF NOT LICHEN_RADIO STREQUAL CC1000)
lichen_only(net/byte_link/access.c net/byte_link/am.c net/byte_link/begin.c net/byte_link/child.c net/byte_link/dispatch.c net/byte_link/frames.c
    net/byte_link/frames_usual.c net/byte_link/losses.c net/byte_link/open.c
    net/byte_link/packets.c net/byte_link/poll.c net/byte_link/programs.c net/byte_link/receive.c net/byte_link/send.c
    net/byte_link/threads.c net/neighbour/short.c IF LICHEN_RADIO STREQUAL CC1000)

# How fast objects are passed on.
lichen_only(service/dissemination/rate_bytes.c IF LICHEN_RADIO STREQUAL CC1000)
lichen_only(service/dissemination/rate_frames.c IF NOT LICHEN_RADIO STREQUAL CC1000)

# The times of frames, by the board's radio.
lichen_only(driver/radio/at86rf233/times.c IF LICHEN_RADIO STREQUAL AT86RF233)
lichen_only(driver/radio/cc1000/times.c IF LICHEN_RADIO STREQUAL CC1000)
lichen_only(driver/radio/cc2420/times.c IF LICHEN_RADIO STREQUAL CC2420)

# What these architectures have in assembly, in fewer cycles. LICHEN_C_TEXTS takes the C (test/mote/texts_*), except that
# sequences of ARMv6-M are called in a way of their own, in which C cannot take their place.
set(LICHEN_ASSEMBLED armv6m avr8)
lichen_only(kernel/coop/each.c kernel/msg/queue_thread.c IF LICHEN_C_TEXTS OR NOT LICHEN_ARCH IN_LIST LICHEN_ASSEMBLED)
lichen_only(kernel/event/dispatch.c kernel/event/notify_thread.c kernel/sync/sync_thread.c kernel/thread/yield.c
    IF NOT LICHEN_ARCH STREQUAL armv6m AND (LICHEN_C_TEXTS OR NOT LICHEN_ARCH IN_LIST LICHEN_ASSEMBLED))
lichen_only(arch/armv6m/coop.S arch/armv6m/queue.S IF NOT LICHEN_C_TEXTS)
lichen_only(arch/avr8/coop.S arch/avr8/deliver.S arch/avr8/mutex.S arch/avr8/notify.S arch/avr8/notify_wait.S
    arch/avr8/queue.S arch/avr8/semaphore.S arch/avr8/yield.S IF NOT LICHEN_C_TEXTS)

# Sets `sources` to the files that these settings leave.
function(lichen_sources sources)
    set(left ${LICHEN_FILES})
    foreach(row IN LISTS LICHEN_ONLY)
        string(REGEX MATCH "^(.*) IF (.*)$" row "${row}")
        string(REPLACE " " ";" files "${CMAKE_MATCH_1}")
        cmake_language(EVAL CODE "
            if(NOT (${CMAKE_MATCH_2}))
                list(REMOVE_ITEM left ${files})
            endif()")
    endforeach()
    list(TRANSFORM left PREPEND ${LICHEN_ROOT}/os/)
    set(${sources} ${left} PARENT_SCOPE)
endfunction()

# -------- choices

# lichen_choice(NAME IF_LINKED... ELSE USUAL): NAME is the first of these functions that is in the program, unless a file of
# the program defines it. What calls NAME also has the usual one linked, by its file or by lichen_link.
set(LICHEN_CHOICES "/* Made by CMake from os/features.cmake. */\n")
macro(lichen_choice name)
    set(value 0)
    set(candidates ${ARGN})
    list(REMOVE_ITEM candidates ELSE)
    list(REVERSE candidates)
    foreach(candidate IN LISTS candidates)
        set(value "DEFINED(${candidate}) ? ${candidate} : ${value}")
    endforeach()
    string(APPEND LICHEN_CHOICES "PROVIDE(${name} = ${value});\n")
endmacro()

# lichen_choice_with(PART NAME IF_LINKED ELSE USUAL): NAME is IF_LINKED in a program with the function PART.
macro(lichen_choice_with part name if_linked else usual)
    string(APPEND LICHEN_CHOICES "PROVIDE(${name} = DEFINED(${part}) ? ${if_linked} : ${usual});\n")
endmacro()

# Start-up: kernel/starts.c if something says START.
lichen_choice(kernel_starts kernel_starts_all ELSE kernel_starts_none)

# The idle thread: cooperative threads, if there are any.
lichen_choice(idle_run coop_run ELSE arch_idle)

# Sleep: counted, if the program asks for the counts; chosen before each wait of cooperative threads beside threads, and not
# where the kernel level, which then always ends before a wait, has chosen; with a slow clock, if the program requests a
# fast one for work; on the ATmega128 not too deeply for the next alarm, and on the SAM R21 with what the tick then forgets.
lichen_choice(power_prepare power_choose_counting power_choose_limited ELSE power_choose)
lichen_choice(power_prepare_alone switch_prepare_idle power_prepare_none power_choose_counting power_choose_limited
    ELSE power_choose)
lichen_choice(chip_sleep_prepare power_sleep_slowly tick_sleep_select ELSE chip_sleep_select)
lichen_choice(chip_sleep_slowly tick_sleep_select ELSE chip_sleep_select)
lichen_choice(ready_insert_behind ready_insert_fast ELSE ready_insert_others)

# The end of a thread: what threads made at run time, joins and mutexes add.
lichen_choice(thread_forget thread_forget_created ELSE thread_forget_none)
lichen_choice(joins_end joins_end_all ELSE joins_end_none)
lichen_choice(mutexes_abandon mutexes_abandon_of_programs mutexes_abandon_all ELSE mutexes_abandon_none)

# PANIC_ON_DEADLOCK.
lichen_choice(mutex_service mutex_take_checked mutex_take_of_programs ELSE mutex_take)

# Programs that were loaded: each walk of a table of the linker's goes on with theirs, the end of a thread may be that of a
# program, and where one fails only that one ends.
lichen_choice(thread_ended thread_ended_of_programs joins_end_all ELSE joins_end_none)
lichen_choice(thread_info_of thread_info_of_programs ELSE thread_info_of_declared)
lichen_choice(thread_look thread_look_of_programs ELSE thread_look_declared)
lichen_choice(panic_thread_name panic_thread_name_of_programs ELSE panic_thread_name_declared)
lichen_choice(panic_record_begin panic_begin_guarded panic_begin_of_programs ELSE panic_begin)
lichen_choice(panic_place panic_called_guarded ELSE panic_called)
lichen_choice(hard_fault_entered hard_fault_guarded ELSE hard_fault_handler)
lichen_choice(panic_record_end panic_end_of_programs ELSE panic_end)
lichen_choice_with(program_run thread_overflow thread_overflow_of_programs ELSE panic_overflow)
lichen_choice(program_ended ELSE program_ended_none)
lichen_choice(program_left shell_program_left ELSE program_left_none)
lichen_choice(program_receivers_left am_program_left ELSE program_left_none)
lichen_choice(am_read_of_programs link_read_of_programs ELSE byte_link_read_of_programs)
lichen_choice(am_free_of_programs link_free_of_programs ELSE byte_link_free_of_programs)
lichen_choice(program_visited shell_visits ELSE program_visited_none)
lichen_choice(mutex_take_here mutex_take_of_programs ELSE mutex_take)
lichen_choice(thread_reprioritize thread_reprioritize_of_programs ELSE thread_reprioritize_declared)
lichen_choice(syslog_module_at syslog_module_at_of_programs ELSE syslog_module_at_declared)
lichen_choice(syslog_adjust syslog_adjust_of_programs ELSE syslog_adjust_declared)
lichen_choice(shell_find shell_find_of_programs ELSE shell_find_declared)
if(LICHEN_RADIO STREQUAL CC1000)
    lichen_choice(byte_link_deliver byte_link_deliver_of_programs ELSE byte_link_deliver_declared)
    lichen_choice(byte_link_to_packet byte_link_to_packet_of_programs ELSE byte_link_to_packet_declared)
endif()

# Panics: what threads, a kernel level, PANIC_WRITE and PANIC_HALT add.
lichen_choice(panic_thread panic_thread_current ELSE panic_nothing)
lichen_choice(panic_stack_free panic_stack_free_declared ELSE panic_nothing)
lichen_choice(panic_print panic_print_text ELSE panic_nothing)
lichen_choice(panic_report panic_report_text ELSE panic_nothing)
lichen_choice_with(power_first panic_of_handler panic_of_handler_call ELSE panic_nothing)
lichen_choice(panic_finish panic_finish_halted ELSE arch_reset)
lichen_choice(panic_guard panic_guard_stopped ELSE panic_guard_watchdog)

# The time of cooperative threads: by the kernel's deadlines, if there are any, and otherwise by the chip's alarm alone.
lichen_choice(coop_clock_serve coop_sleep_serve ELSE coop_clock_serve_none)
lichen_choice(coop_clock_call coop_deadline_call ELSE coop_chip_call)
lichen_choice(coop_clock_read coop_deadline_read ELSE coop_chip_read)
lichen_choice(coop_alarm_set coop_deadline_set ELSE coop_chip_set)
lichen_choice(kernel_alarm deadline_alarm coop_chip_fired ELSE ticks_nothing)
lichen_choice(kernel_tick_arrived deadline_tick_arrived coop_chip_arrived ELSE ticks_nothing)

# Where the link makes and checks frames: in events, in two threads, or in one in turn.
lichen_choice(link_request link_request_in_turn link_request_threads ELSE link_request_event)
lichen_choice(link_go_on link_go_on_in_turn link_request_threads ELSE link_request_event)
lichen_choice(link_tell link_tell_queued ELSE link_tell_at_once)
lichen_choice(link_has_place link_has_place_queued ELSE link_has_place_always)

# Frames that arrive: checked for receivers, a child's parent, children and neighbours, or dropped.
lichen_choice(link_examine link_incoming_of_programs link_incoming ELSE link_drop)

# Dissemination: a leaf asks its parent, which answers.
lichen_choice(dissemination_announce dissemination_announce_of_leaf ELSE dissemination_announce_usual)
lichen_choice(dissemination_handle dissemination_handle_of_parent ELSE dissemination_handle_usual)

# Tags of containers: an image without a key has no cipher.
lichen_choice(mac_add mac_add_keyed ELSE mac_add_none)
lichen_choice(mac_check mac_check_keyed ELSE mac_check_none)
if(LICHEN_CHIP STREQUAL samr21)
    # Logs and volumes are in the same flash as programs.
    lichen_choice_with(storage_enter code_write_in_turn storage_write_code ELSE code_write)
    lichen_choice_with(storage_enter code_add_in_turn storage_add_code ELSE code_add)
    lichen_choice_with(storage_enter code_erase_in_turn storage_erase_code ELSE code_erase)
    lichen_choice_with(storage_enter code_hold storage_hold_code ELSE load_hold_nothing)
    lichen_choice_with(storage_enter code_release storage_release ELSE load_hold_nothing)
else()
    lichen_choice(code_write_in_turn ELSE code_write)
    lichen_choice(code_add_in_turn ELSE code_add)
    lichen_choice(code_erase_in_turn ELSE code_erase)
endif()
lichen_choice(partition_take partition_take_declared ELSE partition_take_none)
lichen_choice(partition_is_taken partition_is_taken_declared ELSE partition_is_taken_none)
lichen_choice(partition_bind partition_bind_declared ELSE partition_bind_none)
lichen_choice(partition_put partition_put_volume partition_put_counter ELSE partition_put_log)
lichen_choice(partition_put_other partition_put_counter ELSE partition_put_log)
lichen_choice(partition_stop storage_program_stop ELSE program_stop)

# The radio's clock: its driver's, if the program uses the radio.
lichen_choice(radio_clock_start at86rf233_clock_start ELSE radio_clock_start_asleep)
lichen_choice(radio_clock_stop at86rf233_clock_stop ELSE radio_clock_stop_asleep)

# Frames among the console's characters, in programs with a loader that takes them.
lichen_choice(console_receive load_serial_receive ELSE usart_receive)

# Noise for random numbers, by the radio's driver.
lichen_choice_with(random_noise cc2420_receive_noise cc2420_receive_noise_once ELSE cc2420_receive_noise_never)
lichen_choice_with(random_noise at86rf233_receive_noise at86rf233_receive_noise_once ELSE at86rf233_receive_noise_never)

# The layer above the driver of a CC1000: the byte link, or packets for lichen/radio.h.
if(LICHEN_RADIO STREQUAL CC1000)
    foreach(function IN ITEMS goes left next note sent waits)
        lichen_choice(cc1000_user_${function} byte_link_${function} ELSE cc1000_packets_${function})
    endforeach()
    lichen_choice(cc1000_user_received byte_link_received byte_link_received_none ELSE cc1000_packets_received)
endif()

# The idle thread's stack: a large one, if the program or cooperative threads define it.
lichen_choice(idle_stack ELSE idle_stack_usual)
lichen_choice(idle_stack_bytes ELSE idle_stack_usual_bytes)

# Vectors without a handler. INTERRUPT defines the handler of a vector, in any file of the program or the system.
foreach(handler IN LISTS LICHEN_CHIP_HANDLERS)
    lichen_choice(${handler} ELSE nobody)
endforeach()

# On the ATmega128, beside the writer of flash, the panic waits until flash can be read.
lichen_choice(unexpected_entered spm_unexpected ELSE unexpected_handler)

# -------- what may be absent

# lichen_optional(NAME FILE...): NAME is 0 in a program without the file. What refers to it is weak, links nothing, and
# either looks whether it is 0 or runs only where the file is.
set(LICHEN_OPTIONAL)
macro(lichen_optional name)
    list(APPEND LICHEN_OPTIONAL ${name})
endmacro()

# Looked at.
lichen_optional(at86rf233_times_compare driver/radio/at86rf233/times.c)
lichen_optional(at86rf233_times_count driver/radio/at86rf233/times.c)
lichen_optional(at86rf233_times_note driver/radio/at86rf233/times.c)
lichen_optional(at86rf233_times_stop driver/radio/at86rf233/times.c)
lichen_optional(at86rf233_times_take driver/radio/at86rf233/times.c)
lichen_optional(at86rf233_times_watch driver/radio/at86rf233/times.c)
lichen_optional(block_cache driver/storage/block.c)
lichen_optional(byte_link_child_asks net/byte_link/child.c)
lichen_optional(byte_link_child_retries net/byte_link/child.c)
lichen_optional(byte_link_child_waits net/byte_link/child.c)
lichen_optional(byte_link_child_withdraws net/byte_link/child.c)
lichen_optional(byte_link_deliver net/byte_link/dispatch.c)
lichen_optional(byte_link_frame net/byte_link/frames.c)
lichen_optional(byte_link_free_frame net/byte_link/frames.c)
lichen_optional(byte_link_packet_free net/byte_link/packets.c)
lichen_optional(byte_link_packet_read net/byte_link/packets.c)
lichen_optional(byte_link_polled net/byte_link/poll.c)
lichen_optional(byte_link_refill net/byte_link/receive.c)
lichen_optional(capture_time_forget chip/atmega128/capture_time.c)
lichen_optional(cc1000_times_note driver/radio/cc1000/times.c)
lichen_optional(cc2420_times_compare driver/radio/cc2420/times.c)
lichen_optional(cc2420_times_note driver/radio/cc2420/times.c)
lichen_optional(chip_serve chip/atmega128/serve.c)
lichen_optional(idle_stack kernel/thread/thread.c kernel/coop/stack.c)
lichen_optional(idle_stack_bytes kernel/thread/thread.c kernel/coop/stack.c)
lichen_optional(kernel_clock_changes kernel/thread/slice.c)
lichen_optional(link_access_ahead net/link/access.c)
lichen_optional(link_access_withdraw net/link/access.c)
lichen_optional(link_acknowledge net/link/acknowledge.c)
lichen_optional(link_answer_next net/link/child.c)
lichen_optional(link_answered net/link/child.c)
lichen_optional(link_child_asks net/link/child.c)
lichen_optional(link_guard_open net/link/guard.c)
lichen_optional(link_guard_protect net/link/guard.c)
lichen_optional(link_guard_reserve net/link/guard.c)
lichen_optional(link_guard_reserve_ahead net/link/guard.c)
lichen_optional(link_has_for net/link/child.c)
lichen_optional(link_headers_build net/link/headers.c)
lichen_optional(link_headers_losses net/link/headers.c)
lichen_optional(link_headers_open net/link/headers.c)
lichen_optional(link_headers_parse net/link/headers.c)
lichen_optional(link_headers_reason net/link/headers.c)
lichen_optional(link_headers_reasons net/link/headers.c)
lichen_optional(link_poll_timer net/link/poll.c)
lichen_optional(link_polled net/link/poll.c)
lichen_optional(link_wait_for_child net/link/child.c)
lichen_optional(link_waits net/link/child.c)
lichen_optional(load_air_retry load/air.c)
lichen_optional(load_air_serve load/air.c)
lichen_optional(load_serial_serve load/serial.c)
lichen_optional(loader_air_begin load/air.c)
lichen_optional(loader_air_end load/air.c)
lichen_optional(loader_air_feed load/air.c)
lichen_optional(loader_air_give_up load/air.c)
lichen_optional(loader_confirm load/loader.c)
lichen_optional(loader_version load/loader.c)
lichen_optional(storage_hold driver/storage/lock.c)
lichen_optional(storage_release driver/storage/lock.c)
lichen_optional(storage_leave driver/storage/lock.c)
lichen_optional(neighbour_heard net/neighbour/neighbour.c)
lichen_optional(neighbour_heard_short net/neighbour/short.c)
lichen_optional(neighbour_is_child net/neighbour/neighbour.c)
lichen_optional(neighbour_tried net/neighbour/neighbour.c)
lichen_optional(program_events_are_sound kernel/program/events.c)
lichen_optional(program_events_begin kernel/program/events.c)
lichen_optional(program_events_end kernel/program/events.c)
lichen_optional(packet_chain_append net/packet/chain.c)
lichen_optional(packet_chain_prepend net/packet/chain.c)
lichen_optional(packet_chain_take net/packet/chain.c)
lichen_optional(packet_time_clear net/packet/time.c)
lichen_optional(packet_time_copy net/packet/time.c)
lichen_optional(packet_unshare net/packet/share.c)
lichen_optional(panic_thread_name kernel/thread/thread.c)
lichen_optional(panic_write driver/console/console.c)
lichen_optional(radio_clock_capture chip/samr21/radio_clock.c)
lichen_optional(radio_line_serve chip/samr21/radio_line.c)
lichen_optional(random_noise driver/random/random.c)
lichen_optional(ready_insert_others kernel/thread/ready.c)
lichen_optional(rt_vectors_in_ram kernel/rt/ram.c)
lichen_optional(slice_serve chip/atmega128/slice.c)
lichen_optional(syslog_sink_end driver/console/syslog_sink.c)
lichen_optional(syslog_sink_miss driver/console/syslog_sink.c)
lichen_optional(syslog_sink_put driver/console/syslog_sink.c)
lichen_optional(thread_cpu_cycles kernel/thread/cpu_time.c)
lichen_optional(thread_cpu_us kernel/thread/cpu_time.c)
lichen_optional(thread_created_info kernel/thread/create.c)
lichen_optional(threads_created kernel/thread/create.c)
lichen_optional(threads_declared kernel/thread/declared.c)
lichen_optional(tick_base chip/samr21/tick.c)
lichen_optional(tick_serve chip/atmega128/tick.c)
lichen_optional(time_note_soon kernel/time/noted.c)
lichen_optional(watchdog_serve chip/atmega128/watchdog.c)

# Never run without the file: nothing else begins a wait with a deadline, declares a notification, lets a thread
# end, makes a packet of several blocks, has a frame for a child put back.
lichen_optional(coop_alarm_fired kernel/coop/sleep.c)
lichen_optional(deadline_insert kernel/time/deadline.c)
lichen_optional(deadline_insert_after kernel/time/deadline.c)
lichen_optional(deadline_remove kernel/time/deadline.c)
lichen_optional(deferred_TIMER2_COMP chip/atmega128/slice.c)
lichen_optional(kernel_call arch/avr8/kernel.S)
lichen_optional(link_format_renew net/link/renew.c)
lichen_optional(notify_deliver arch/armv6m/switch.S arch/avr8/deliver.S kernel/event/notify_thread.c)
lichen_optional(notify_deliver_rare kernel/event/notify.c)
lichen_optional(packet_chain_copy net/packet/chain.c)
lichen_optional(packet_chain_cursor net/packet/chain.c)
lichen_optional(packet_chain_flat net/packet/chain.c)
lichen_optional(packet_chain_gather net/packet/chain.c)
lichen_optional(packet_chain_go_on net/packet/chain.c)
lichen_optional(packet_chain_headroom net/packet/chain.c)
lichen_optional(packet_chain_length net/packet/chain.c)
lichen_optional(packet_chain_trim_back net/packet/chain.c)
lichen_optional(packet_chain_trim_front net/packet/chain.c)
lichen_optional(panic_restart arch/avr8/panic.S)
lichen_optional(ready_insert_behind kernel/thread/ready.c)
lichen_optional(request_handler arch/avr8/levels.S)
lichen_optional(semaphore_rt_collect kernel/sync/semaphore_rt.c)
lichen_optional(semaphore_rt_direct arch/armv6m/semaphore_rt.S)
lichen_optional(sequence_restart arch/armv6m/sequence.c arch/avr8/start.c)
lichen_optional(slice_over chip/atmega128/slice.c)
lichen_optional(slice_whole chip/atmega128/slice.c)
lichen_optional(thread_exit kernel/thread/end.c)
lichen_optional(tick_keep_noted chip/samr21/tick_noted.c)

# -------- programs

# lichen_program(HEADER NAME...): a program may define NAME, by a macro of the header or as the header says. `lichen build`
# refuses a program that defines any other name of the system's.
function(lichen_program)
endfunction()

lichen_program(lichen/coop.h coop_stack idle_stack idle_stack_bytes)
lichen_program(lichen/dissemination.h dissemination dissemination_messages dissemination_arrived)
lichen_program(lichen/link.h link_frames link_frame_count link_frame_is_used link_frame_payload link_neighbours link_neighbour_count link_in_turn link_security net_main net_tx)
lichen_program(lichen/link_access.h link_access link_access_give_up link_acknowledged)
lichen_program(lichen/loader.h load_key)
lichen_program(lichen/loader_air.h loader_air_settings)
lichen_program(lichen/loader_serial.h load_image_name)
lichen_program(lichen/packet.h packet_blocks packet_references packet_block_count packet_block_bytes packet_times)
lichen_program(lichen/panic.h panic_write)
lichen_program(lichen/radio.h radio_received radio_received_event)
lichen_program(lichen/syslog.h syslog_sink)
lichen_program(string.h memcmp memcpy memset)
lichen_program(lichen/uart.h uart_port uart_receive_ring uart_send_ring)
lichen_program(lichen/watchdog.h watchdog_limit)
