/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Functions whose ways are counted by hand: unroll.rs says it of each.
 *
 *     arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -nostdlib -Wl,-n,-Ttext=0x100 \
 *         ways.thumb.S -o ways.thumb.elf && arm-none-eabi-strip -R .ARM.attributes ways.thumb.elf -g
 */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .macro function name
    .text
    .balign 4
    .global \name
    .type \name, %function
    .thumb_func
\name:
    .endm

    .macro end name
    .size \name, . - \name
    .endm

    function _start
    bx   lr
    end _start

    function counted
    movs r0, #5
1:  subs r0, #1
    bne  1b
    bx   lr
    end counted

/* 100 rounds of 3: the inner counter is on the stack. */
    function nested
    push {r4, lr}
    sub  sp, #8
    movs r4, #0
1:  movs r0, #3
    str  r0, [sp, #4]
2:  ldr  r0, [sp, #4]
    subs r0, #1
    str  r0, [sp, #4]
    bne  2b
    adds r4, #1
    cmp  r4, #100
    blo  1b
    add  sp, #8
    pop  {r4, pc}
    end nested

    function forks
    cmp  r0, #0
    beq  1f
    nop
1:  bx   lr
    end forks

    function calls
    push {r7, lr}
    bl   counted
    pop  {r7, pc}
    end calls

    function unbounded
1:  subs r0, #1
    bne  1b
    bx   lr
    end unbounded

    function anywhere
    bx   r0
    end anywhere
