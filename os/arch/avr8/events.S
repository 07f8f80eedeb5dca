/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel level of programs that have events and no threads. Everything runs on the kernel's
 * stack, and the kernel level returns to what it has interrupted: the main loop, or a cooperative
 * thread in it. If anything in the program names the switch, the linker script takes switch.S
 * instead.
 */
#include "macros.inc"

    .global power_choose        /* os/kernel/power/power.c */

/* Every EVENT refers to it: the program has a kernel level. */
    .global kernel_level
    .set kernel_level, 1
    .global power_first                 /* os/kernel/power/first.c */

/* Its work is requested by an interrupt. */
    .global request_handler

    .section .text.events, "ax"
    function events_serve
    sts  arch_requested, r1
    call kernel_deliver
    lds  r24, arch_requested
    tst  r24
    brne events_serve
    jmp  power_prepare
    .size events_serve, . - events_serve

/* Does nothing: the kernel level chose the depth of sleep when it last ended. */
    .section .text.events.sleep, "ax"
    function power_prepare_none
    ret
    .size power_prepare_none, . - power_prepare_none
