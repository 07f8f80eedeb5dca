/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/am.h>

DECLARATION_NEEDS(link_incoming_of_programs);
DECLARATION_NEEDS(byte_link_received);
DECLARATION_NEEDS(byte_link_deliver_of_programs);
CALLS_LAYOUT(sizeof(struct am_message), 7, 8);
CALLS_LAYOUT(sizeof(struct link_receiver), 13, 24);
CALLS_LAYOUT(sizeof(struct link_taker), 4, 8);
extern __typeof__(am_receive) am_receive_of_programs;
extern __typeof__(am_try_receive) am_try_receive_of_programs;

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(am_send),
    [1] = (call_fn *)(am_send_until),
    [3] = (call_fn *)am_receive_of_programs,
    [4] = (call_fn *)am_try_receive_of_programs,
};

CALLS(am, 25, 0xb0, 0xae75, 0x28cd);
