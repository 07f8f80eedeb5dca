/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Functions whose ways are counted by hand: unroll.rs says it of each.
 *
 *     avr-gcc -mmcu=atmega128 -nostdlib ways.avr.S -o ways.avr.elf && avr-strip -g ways.avr.elf
 */
#define SPL  0x3d
#define SPH  0x3e

    .macro function name
    .text
    .global \name
    .type \name, @function
\name:
    .endm

    .macro end name
    .size \name, . - \name
    .endm

    function nothing
    ret
    end nothing

    function counted
    ldi  r24, 5
1:  dec  r24
    brne 1b
    ret
    end counted

/* 300 rounds, in a frame of 4 bytes. */
    function nested
    push r28
    push r29
    in   r28, SPL
    in   r29, SPH
    sbiw r28, 4
    out  SPH, r29
    out  SPL, r28
    ldi  r24, lo8(300)
    ldi  r25, hi8(300)
1:  std  Y+1, r24
    std  Y+2, r25
    ldd  r24, Y+1
    ldd  r25, Y+2
    sbiw r24, 1
    brne 1b
    adiw r28, 4
    out  SPH, r29
    out  SPL, r28
    pop  r29
    pop  r28
    ret
    end nested

    function forks
    sbrc r24, 0
    nop
    ret
    end forks

    function calls
    rcall counted
    ret
    end calls

    function unbounded
1:  dec  r24
    brne 1b
    ret
    end unbounded

    function anywhere
    ijmp
    end anywhere
