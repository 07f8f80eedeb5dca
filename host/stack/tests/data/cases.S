/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs whose depth is known by hand: cases.rs says it of each. One is built with its name defined:
 *
 *     for case in $(sed -n 's/^#ifdef \(.*\)/\1/p' cases.S); do
 *         arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -nostdlib -Wl,-n -D$case \
 *             -T cases.ld cases.S -o $case.elf
 *     done
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
    .ltorg
    .size \name, . - \name
    .endm

/* A function that takes so many bytes of stack. */
    .macro takes name, bytes
    function \name
    sub  sp, #\bytes
    add  sp, #\bytes
    bx   lr
    end \name
    .endm

    .macro enable line, level
    movs r0, #\line
    movs r1, #\level
    bl   chip_interrupt_enable
    .endm

    .section .vectors, "a"
    .word kernel_stack_top, reset_handler, nobody, HardFault, 0, 0, 0, 0, 0, 0, 0, SVC
    .word 0, 0, PendSV, SysTick, LINE0, LINE1, LINE2
    function nobody
    b    nobody
    end nobody

    takes chip_interrupt_enable, 0

#ifdef direct
    function reset_handler
    push {r4, lr}
    bl   outer
    b    .
    end reset_handler
    function outer
    push {r4, r5, r6, lr}
    sub  sp, #24
    bl   inner
    add  sp, #24
    pop  {r4, r5, r6, pc}
    end outer
    takes inner, 4
#endif

#ifdef tail
    function reset_handler
    push {r4, lr}
    bl   outer
    b    .
    end reset_handler
    function outer
    push {r4, lr}
    pop  {r4}
    pop  {r1}
    mov  lr, r1
    b    inner
    end outer
    takes inner, 20
#endif

#ifdef recursion
    function reset_handler
    bl   even
    b    .
    end reset_handler
    function even
    push {r4, lr}
    bl   odd
    pop  {r4, pc}
    end even
    function odd
    push {r4, lr}
    bl   even
    pop  {r4, pc}
    end odd
#endif

/* A pointer in RAM may be any of those whose address stands somewhere. */
#ifdef pointer
    function reset_handler
    push {r4, lr}
    ldr  r3, =chosen
    ldr  r3, [r3]
    blx  r3
    b    .
    end reset_handler
    takes small, 8
    takes large, 24
    takes never_taken, 100
    .data
chosen:
    .word small
    .word large
#endif

/* What is handed over as an argument is known. */
#ifdef argument
    function reset_handler
    push {r4, lr}
    ldr  r0, =small
    bl   apply
    b    .
    end reset_handler
    function apply
    push {r4, lr}
    movs r4, r0
    blx  r4
    pop  {r4, pc}
    end apply
    takes small, 8
    takes large, 100
    .data
    .word large
#endif

#ifdef unbounded
    function reset_handler
    push {r7, lr}
    bl   allocate
    b    .
    end reset_handler
    function allocate
    push {r7, lr}
    mov  r7, sp
    mov  r3, sp
    subs r3, r3, r0
    mov  sp, r3
    mov  sp, r7
    pop  {r7, pc}
    end allocate
#endif

/* A frame too large for an immediate, and a frame pointer. */
#ifdef frame
    function reset_handler
    push {r7, lr}
    ldr  r4, =-1024
    add  sp, r4
    mov  r7, sp
    push {r4}
    mov  sp, r7
    ldr  r4, =1024
    add  sp, r4
    b    .
    end reset_handler
#endif

#ifdef growing
    function reset_handler
1:  push {r4}
    cmp  r4, r5
    bne  1b
    b    .
    end reset_handler
#endif

#ifdef nested
    function reset_handler
    cpsid i
    push {r4, lr}
    enable 0, 2
    enable 1, 2
    enable 2, 0
    cpsie i
1:  wfi
    b    1b
    end reset_handler
    takes PendSV, 8
    takes LINE0, 16
    takes LINE1, 24
    takes LINE2, 4
#endif

/* What idles runs on another stack: so the outermost frame is there. Start-up is deeper, and masked. */
#ifdef threads
    function reset_handler
    cpsid i
    push {r4, lr}
    enable 0, 2
    bl   deep
    movs r2, #2
    msr  control, r2
    isb
    cpsie i
    sub  sp, #400
1:  wfi
    b    1b
    end reset_handler
    takes deep, 64
    takes PendSV, 8
    takes LINE0, 16
#endif

/* Who sets levels in a way of its own may set any: each nests once. */
#ifdef levels
    function reset_handler
    cpsid i
    ldr  r0, =0xe000e400
    str  r1, [r0]
    cpsie i
1:  wfi
    b    1b
    end reset_handler
    takes PendSV, 8
    takes LINE0, 16
    takes LINE1, 24
#endif

/* A panic has the whole stack. */
#ifdef panics
    function reset_handler
    push {r4, r5, r6, lr}
    bl   panic
    b    .
    end reset_handler
    function panic
    ldr  r4, =kernel_stack_top
    mov  sp, r4
    bl   last_words
    b    .
    end panic
    takes last_words, 200
#endif

#ifdef switches
    function reset_handler
    push {r4, lr}
    bl   __gnu_thumb1_case_uqi
table:
    .byte (1f - table) / 2, (2f - table) / 2
    .balign 2
1:  b    .
2:  sub  sp, #40
    b    .
    end reset_handler
    takes __gnu_thumb1_case_uqi, 4
#endif

/* Long functions jump by calls within themselves. */
#ifdef far
    function reset_handler
    push {r4, lr}
1:  sub  sp, #40
    add  sp, #40
    bl   1b
    end reset_handler
#endif

/* A part that is not linked is not called. */
#ifdef absent
    .weak part
    function reset_handler
    push {r4, lr}
    ldr  r3, =part
    cmp  r3, #0
    beq  1f
    sub  sp, #100
1:  b    .
    end reset_handler
#endif
