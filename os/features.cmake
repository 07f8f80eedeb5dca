# SPDX-License-Identifier: MIT OR Apache-2.0
# What selects code.

# The names of the system that a program may define, with the header of the macro that does. `lichen build` refuses
# a program that defines any other.
function(lichen_program)
endfunction()

lichen_program(lichen/coop.h coop_stack idle_stack idle_stack_bytes)
lichen_program(lichen/link.h link_neighbours link_neighbour_count link_in_turn link_security net_main net_tx)
lichen_program(lichen/packet.h packet_blocks packet_references packet_block_count)
lichen_program(lichen/panic.h panic_write)
lichen_program(lichen/radio.h radio_received radio_received_event)
lichen_program(lichen/syslog.h syslog_sink)
lichen_program(lichen/uart.h uart_port uart_receive_ring uart_send_ring)
lichen_program(lichen/watchdog.h watchdog_limit)
