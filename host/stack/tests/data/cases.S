/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs whose depth is known by hand: cases.rs says it of each. One is built with its name defined:
 *
 *     for case in $(sed -n 's/^#ifdef \(.*\)/\1/p' cases.S); do
 *         arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -nostdlib -Wl,-n -D$case \
 *             -T cases.ld cases.S -o $case.elf
 *     done
 *
 * `chance` with -Wl,--emit-relocs, and `folded` with folded.c.
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

/* Start-up, with 8 bytes on the stack. */
    .macro begin
    function reset_handler
    push {r4, lr}
    .endm

/* Its end: it stays there. */
    .macro stay
    b    .
    end reset_handler
    .endm

/* The same, where it may be interrupted. */
    .macro idle
    cpsie i
1:  wfi
    b    1b
    end reset_handler
    .endm

    .macro enable line, level
    movs r0, #\line
    movs r1, #\level
    bl   chip_interrupt_enable
    .endm

    .section .vectors, "a"
    .word kernel_stack_top, reset_handler, NMI, HardFault, 0, 0, 0, 0, 0, 0, 0, SVC
    .word 0, 0, PendSV, SysTick, LINE0, LINE1, LINE2
    function nobody
    b    nobody
    end nobody

    takes chip_interrupt_enable, 0

#ifdef direct
    begin
    bl   outer
    stay
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
    begin
    bl   outer
    stay
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
    stay
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
    begin
    ldr  r3, =chosen
    ldr  r3, [r3]
    blx  r3
    stay
    takes small, 8
    takes large, 24
    takes never_taken, 100
    .data
chosen:
    .word small
    .word large
#endif

/* What programs that are loaded call is no function of a pointer of the image: here it calls itself. */
#ifdef exported
    begin
    ldr  r3, =chosen
    ldr  r3, [r3]
    blx  r3
    stay
    takes small, 8
    function service
    push {r4, lr}
    ldr  r3, =chosen
    ldr  r3, [r3]
    blx  r3
    pop  {r4, pc}
    end service
    .section .rodata
    .global call_functions_begin, call_functions_end
call_functions_begin:
    .word service
call_functions_end:
    .data
chosen:
    .word small
#endif

/* What is handed over as an argument is known. */
#ifdef argument
    begin
    ldr  r0, =small
    bl   apply
    stay
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

/* Nothing of what a call gets is left behind it. */
#ifdef behind
    begin
    ldr  r0, =small
    bl   nothing
    blx  r0
    stay
    takes nothing, 0
    takes small, 8
    takes large, 24
    .data
    .word large
#endif

#ifdef unbounded
    function reset_handler
    push {r7, lr}
    bl   allocate
    stay
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
    stay
#endif

#ifdef growing
    function reset_handler
1:  push {r4}
    cmp  r4, r5
    bne  1b
    stay
#endif

#ifdef nested
    function reset_handler
    cpsid i
    push {r4, lr}
    enable 0, 2
    enable 1, 2
    enable 2, 0
    idle
    takes PendSV, 8
    takes LINE0, 16
    takes LINE1, 24
    takes LINE2, 4
    takes NMI, 12
#endif

/* A function unmasks interrupts, on one of its ways: what is deep behind it is interrupted. */
#ifdef unmasks
    begin
    cpsid i
    enable 0, 2
    bl   unmask
    sub  sp, #40
    stay
    function unmask
    cmp  r0, #0
    beq  1f
    cpsie i
1:  bx   lr
    end unmask
    takes LINE0, 16
#endif

/* A line that is enabled with a level, and elsewhere with one that is not known, may have any: it nests
 * above the other line of that level. */
#ifdef relevels
    begin
    cpsid i
    enable 0, 2
    enable 1, 2
    ldr  r1, =chosen
    ldr  r1, [r1]
    movs r0, #0
    bl   chip_interrupt_enable
    idle
    takes LINE0, 16
    takes LINE1, 24
    .data
chosen:
    .word 1
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

/* Who sets levels in a way of its own may set any: each nests once. The address of the levels is the
 * program's last word. */
#ifdef levels
    takes PendSV, 8
    takes LINE0, 16
    takes LINE1, 24
    function reset_handler
    cpsid i
    enable 0, 2
    enable 1, 2
    ldr  r0, =0xe000e400
    str  r1, [r0]
    idle
#endif

/* A panic has the whole stack. */
#ifdef panics
    function reset_handler
    push {r4, r5, r6, lr}
    bl   panic
    stay
    function panic
    ldr  r4, =kernel_stack_top
    mov  sp, r4
    bl   last_words
    b    .
    end panic
    takes last_words, 200
#endif

/* What no mask keeps away interrupts a panic, too. */
#ifdef disturbed
    function reset_handler
    push {r4, r5, r6, lr}
    bl   panic
    stay
    function panic
    ldr  r4, =kernel_stack_top
    mov  sp, r4
    bl   last_words
    b    .
    end panic
    takes last_words, 200
    takes NMI, 16
#endif

#ifdef switches
    begin
    bl   __gnu_thumb1_case_uqi
table:
    .byte (1f - table) / 2, (2f - table) / 2
    .balign 2
1:  b    .
2:  sub  sp, #40
    stay
    takes __gnu_thumb1_case_uqi, 4
#endif

/* The other tables: signed bytes and halfwords lead back, unsigned halfwords far ahead, and words, which
 * are aligned, to any place. Each way leads to the next one, 8 bytes deeper. */
#ifdef tables
    .macro back name, kind, next, entry
    function \name
    b    3f
1:  sub  sp, #8
    b    \next
3:  bl   __gnu_thumb1_case_\kind
4:  \entry (2f - 4b) / 2, (1b - 4b) / 2
    .balign 2
2:  b    .
    end \name
    .endm

    begin
    b    by_bytes
    end reset_handler
    back by_bytes, sqi, by_halfwords, .byte
    back by_halfwords, shi, far_ahead, .hword
    function far_ahead
    bl   __gnu_thumb1_case_uhi
4:  .hword (2f - 4b) / 2, (1f - 4b) / 2
2:  b    .
    .rept 256
    b    .
    .endr
1:  sub  sp, #8
    b    by_words
    end far_ahead
    function by_words
    nop
    bl   __gnu_thumb1_case_si
    nop
4:  .word 2f - 4b, 1f - 4b
2:  b    .
1:  sub  sp, #8
    b    .
    end by_words
    takes __gnu_thumb1_case_sqi, 4
    takes __gnu_thumb1_case_shi, 4
    takes __gnu_thumb1_case_uhi, 4
    takes __gnu_thumb1_case_si, 4
#endif

/* Long functions jump by calls within themselves. */
#ifdef far
    begin
1:  sub  sp, #40
    add  sp, #40
    bl   1b
    end reset_handler
#endif

/* A part that is not linked is not called. */
#ifdef absent
    .weak part
    begin
    ldr  r3, =part
    cmp  r3, #0
    beq  1f
    sub  sp, #100
1:  b    .
    end reset_handler
#endif

/* Names are the system's only in the system. */
#ifdef named
    function reset_handler
    push {r4, lr}
    bl   deliver
    b    .
    end reset_handler
    function deliver
    ldr  r3, =chosen
    ldr  r3, [r3]
    bx   r3
    end deliver
    takes large, 24
    .data
chosen:
    .word large
#endif

/* The size is a small number that is shifted, as the compiler makes those that are multiples of 4. */
#ifdef shifted
    begin
    bl   large
    b    .
    end reset_handler
    function large
    ldr  r4, =-904
    add  sp, r4
    movs r3, #226
    lsls r3, r3, #2
    add  sp, r3
    bx   lr
    end large
#endif

/* In a packed structure. */
#ifdef packed
    function reset_handler
    push {r4, lr}
    bl   apply
    b    .
    end reset_handler
    function apply
    bx   r3
    end apply
    takes small, 8
    takes large, 24
    .data
    .word small
    .byte 1
    .4byte large
    .byte 1
    .balign 4
#endif

/* Assembly without a size. */
#ifdef unsized
    function reset_handler
    push {r4, lr}
    ldr  r3, =chosen
    ldr  r3, [r3]
    blx  r3
    b    .
    end reset_handler
    takes small, 8
    function large
    sub  sp, #24
    add  sp, #24
    bx   lr
    .ltorg
    .data
chosen:
    .word small
    .word large
#endif

/* A return that is none: what is popped, or in lr, is another function. */
#ifdef returns
    function reset_handler
    push {r4, lr}
    bl   by_pop
    bl   by_lr
    b    .
    end reset_handler
    function by_pop
    ldr  r3, =small
    push {r2, r3}
    pop  {r2, pc}
    end by_pop
    function by_lr
    ldr  r3, =large
    mov  lr, r3
    bx   lr
    end by_lr
    takes small, 24
    takes large, 40
#endif

/* What is popped may be anything. */
#ifdef popped
    function reset_handler
    push {r4, lr}
    bl   by_pop
    b    .
    end reset_handler
    function by_pop
    push {r3}
    pop  {pc}
    end by_pop
#endif

/* A part of a function that returns into it. */
#ifdef part
    function reset_handler
    push {r4, lr}
    bl   1f
    sub  sp, #40
    b    .
1:  bx   lr
    end reset_handler
#endif

/* Labels in a table elsewhere. */
#ifdef labels
    function reset_handler
    push {r4, lr}
    ldr  r3, =labels_of_reset
    ldr  r3, [r3, r4]
    mov  pc, r3
1:  b    .
2:  sub  sp, #40
    b    .
    end reset_handler
    .section .rodata, "a"
labels_of_reset:
    .word 1b, 2b
#endif

/* Labels that are computed. */
#ifdef computed
    function reset_handler
    push {r4, lr}
    ldr  r3, =1f
    adds r3, r3, r4
    mov  pc, r3
1:  b    .
    sub  sp, #40
    b    .
    end reset_handler
#endif

/* Code that no comparison leads to is no label. */
#ifdef passed
    .weak part
    function reset_handler
    push {r4, lr}
    ldr  r3, =1f
    mov  pc, r3
1:  ldr  r3, =part
    cmp  r3, #0
    beq  2f
    sub  sp, #40
    adds r4, #1
2:  b    .
    .ltorg
    end reset_handler
#endif

/* One of several lines gets another level than it had. */
#ifdef several
    function reset_handler
    cpsid i
    enable 0, 2
    enable 1, 2
    ldr  r3, =line
    ldr  r0, [r3]
    movs r1, #0
    bl   chip_interrupt_enable
    cpsie i
1:  wfi
    b    1b
    end reset_handler
    takes LINE0, 16
    takes LINE1, 24
    .data
line:
    .word 1
#endif

/* A member of a structure points to a function whose address has two prototypes (folded.c). */
#ifdef folded
    begin
    ldr  r0, =waits
    bl   syscall_cancel
    stay
#endif

/* A line is enabled by a jump. */
#ifdef jumped
    function reset_handler
    cpsid i
    enable 0, 2
    enable 1, 2
    bl   urgent
    cpsie i
1:  wfi
    b    1b
    end reset_handler
    function urgent
    movs r0, #1
    movs r1, #0
    b    chip_interrupt_enable
    end urgent
    takes LINE0, 16
    takes LINE1, 24
#endif

/* Who has the address of the interrupt controller may set levels; here with the last constant of all. */
#ifdef controller
    function reset_handler
    cpsid i
    enable 0, 2
    enable 1, 2
    bl   set_levels
    cpsie i
1:  wfi
    b    1b
    end reset_handler
    takes LINE0, 16
    takes LINE1, 24
    function set_levels
    ldr  r2, =0xe000e100
    movs r3, #0xc0
    lsls r3, #2
    str  r1, [r2, r3]
    bx   lr
    end set_levels
#endif

/* Interrupts are unmasked behind a pointer. */
#ifdef unmasked
    function reset_handler
    cpsid i
    push {r4, lr}
    enable 0, 2
    ldr  r3, =chosen
    ldr  r3, [r3]
    blx  r3
    sub  sp, #40
1:  wfi
    b    1b
    end reset_handler
    function unmask
    cpsie i
    bx   lr
    end unmask
    takes LINE0, 16
    .data
chosen:
    .word unmask
#endif

/* What no mask keeps away interrupts start-up, too. */
#ifdef nmi
    function reset_handler
    cpsid i
    push {r4, lr}
    bl   deep
    movs r2, #2
    msr  control, r2
    isb
    cpsie i
1:  wfi
    b    1b
    end reset_handler
    takes deep, 64
    takes NMI, 16
#endif

/* A number that is the address of a function by chance: only what has a relocation is one. */
#ifdef chance
    function reset_handler
    push {r4, lr}
    bl   apply
    b    .
    end reset_handler
    function apply
    bx   r3
    end apply
    takes small, 8
    takes large, 24
    .data
    .word small
    .word 0x6d
#endif

/* A switch of two cases, which are compared; what follows its table is no case. */
#ifdef compared
    begin
    cmp  r0, #1
    bhi  2f
    bl   __gnu_thumb1_case_uqi
4:  .byte (1f - 4b) / 2, (2f - 4b) / 2
    .byte (3f - 4b) / 2, 0
    .balign 2
1:  b    .
2:  sub  sp, #40
    b    .
3:  sub  sp, #80
    stay
    takes __gnu_thumb1_case_uqi, 4
#endif
