/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AVR programs whose depth is known by hand: avr8.rs says it of each. One is built with its name
 * defined:
 *
 *     for case in $(sed -n 's/^#ifdef \(.*\)/\1/p' cases.S); do
 *         avr-gcc -mmcu=atmega128 -nostdlib -D$case -T cases.ld cases.S -o $case.elf
 *     done
 */
#define SPL  0x3d
#define SPH  0x3e
#define SREG 0x3f

    .macro function name
    .text
    .global \name
    .type \name, @function
\name:
    .endm

    .macro end name
    .size \name, . - \name
    .endm

    .macro push_times times
    .rept \times
    push r2
    .endr
    .endm

    .macro pop_times times
    .rept \times
    pop  r2
    .endr
    .endm

/* A function that takes so many bytes of stack beside its return address. */
    .macro takes name, bytes
    function \name
    push_times \bytes
    pop_times \bytes
    ret
    end \name
    .endm

    .macro set_stack
    ldi  r28, lo8(kernel_stack_top - 1)
    ldi  r29, hi8(kernel_stack_top - 1)
    out  SPH, r29
    out  SPL, r28
    .endm

/* Start-up, with interrupts off. */
    .macro begin
    function reset_handler
    clr  r1
    out  SREG, r1
    set_stack
    .endm

/* Its end: it stays there. */
    .macro stay
1:  rjmp 1b
    end reset_handler
    .endm

/* The same, where it may be interrupted. */
    .macro idle
    sei
1:  rjmp 1b
    end reset_handler
    .endm

/* The stack pointer, set as compilers and the kernel do. changes: r0 */
    .macro load_sp high, low
    in   r0, SREG
    cli
    out  SPH, \high
    out  SREG, r0
    out  SPL, \low
    .endm

/* A handler of level 1: its entry has 4 bytes on the stack, the handler 2 and so many more. What keeps
 * sources quiet comes before any other interrupt. */
    .macro entry name, bytes, quiet
    function \name
    push r24
    sei
    \quiet
    lds  r24, level
    sbrc r24, 1
    rjmp 1f
    push r24
    ldi  r24, 2
    sts  level, r24
    call body_\name
    cli
    pop  r24
    sts  level, r24
    pop  r24
    reti
1:  jmp  low_defer
    end \name
    function body_\name
    push_times \bytes
    pop_times \bytes
    reti
    end body_\name
    .endm

    .macro can_defer
    function low_defer
    pop  r24
    reti
    end low_defer
    .data
level:
    .byte 0
    .endm

    .section .vectors, "ax"
#ifdef sized
    /* As the system's table is: an object with a size, which is no code to whoever looks for code. */
    .type vector_table, @object
vector_table:
#endif
    .irp handler, reset_handler, FIRST, SECOND, URGENT, OTHER, request_handler
    rjmp \handler
    nop
    .endr
#ifdef sized
    .size vector_table, . - vector_table
#endif
    function nobody
    rjmp nobody
    end nobody

#ifdef direct
    begin
    push r2
    call outer
    stay
    function outer
    push_times 5
    rcall inner
    pop_times 5
    ret
    end outer
    takes inner, 4
#endif

#ifdef tail
    begin
    call outer
    stay
    function outer
    push_times 9
    pop_times 9
    jmp  inner
    end outer
    takes inner, 12
#endif

/* Frames as the compiler makes them: small, middle, large, of two bytes at once. */
#ifdef frame
    .macro framed name, bytes, callee
    function \name
    push r28
    push r29
    in   r28, SPL
    in   r29, SPH
    .if \bytes > 255
    subi r28, lo8(\bytes)
    sbci r29, hi8(\bytes)
    .elseif \bytes > 63
    subi r28, \bytes
    sbc  r29, r1
    .else
    sbiw r28, \bytes
    .endif
    load_sp r29, r28
    call \callee
    .if \bytes > 63
    subi r28, lo8(-\bytes)
    sbci r29, hi8(-\bytes)
    .else
    adiw r28, \bytes
    .endif
    load_sp r29, r28
    pop  r29
    pop  r28
    ret
    end \name
    .endm
    begin
    call middle
    stay
    framed middle, 20, wide
    framed wide, 100, large
    framed large, 300, pairs
    function pairs
    rcall .
    rcall .
    push r0
    pop  r0
    pop  r0
    pop  r0
    pop  r0
    pop  r0
    ret
    end pairs
#endif

#ifdef recursion
    begin
    call even
    stay
    function even
    push r2
    call odd
    pop  r2
    ret
    end even
    function odd
    call even
    ret
    end odd
#endif

/* A pointer in RAM may be any of those whose address stands somewhere. */
#ifdef pointer
    begin
    lds  r30, chosen
    lds  r31, chosen + 1
    icall
    stay
    takes small, 8
    takes large, 24
    takes never_taken, 100
    .data
chosen:
    .word gs(small)
    .word gs(large)
#endif

/* Halves that are loaded for different numbers are no address. */
#ifdef replaced
    begin
    lds  r30, chosen
    lds  r31, chosen + 1
    icall
    ldi  r25, hi8(gs(large))
    ldi  r24, lo8(gs(large))
    ldi  r25, 0x54
    stay
    takes small, 8
    takes large, 24
    .data
chosen:
    .word gs(small)
#endif

/* What is handed over as an argument is known. */
#ifdef argument
    begin
    ldi  r24, lo8(gs(small))
    ldi  r25, hi8(gs(small))
    call apply
    ldi  r24, lo8(gs(large))
    ldi  r25, hi8(gs(large))
    stay
    function apply
    movw r30, r24
    icall
    ret
    end apply
    takes small, 8
    takes large, 24
#endif

/* Either of two functions is handed over, and the halves of their addresses are those of a third
 * one, too. */
#ifdef joined
    begin
    ldi  r24, lo8(gs(small))
    ldi  r25, hi8(gs(small))
    lds  r18, chosen
    sbrs r18, 0
    rjmp 1f
    ldi  r24, lo8(gs(larger))
    ldi  r25, hi8(gs(larger))
1:
    call apply
    stay
    function apply
    movw r30, r24
    icall
    ret
    end apply
    .balign 512
    takes small, 8
    .balign 128
    takes bystander, 50
    .balign 512
    nop
    .balign 128
    takes larger, 10
    .data
chosen:
    .byte 0
#endif

/* A call changes no register that the function does not mention, if that calls nothing. */
#ifdef spared
    begin
    ldi  r20, lo8(gs(small))
    ldi  r21, hi8(gs(small))
    call apply
    ldi  r20, lo8(gs(large))
    ldi  r21, hi8(gs(large))
    stay
    function apply
    call leaf
    movw r30, r20
    icall
    ret
    end apply
    function leaf
    ldi  r18, 8
1:  ld   r0, X+
    st   Z+, r0
    dec  r18
    brne 1b
    ret
    end leaf
    takes small, 8
    takes large, 24
#endif

/* What programs that are loaded call is no function of a pointer of the image: here it calls itself. */
#ifdef exported
    begin
    lds  r30, chosen
    lds  r31, chosen + 1
    icall
    stay
    takes small, 8
    function service
    lds  r30, chosen
    lds  r31, chosen + 1
    icall
    ret
    end service
    .global call_functions_begin, call_functions_end
call_functions_begin:
    .word gs(service)
call_functions_end:
    .data
chosen:
    .word gs(small)
#endif

/* A jump through a pointer has the return address of its own function. */
#ifdef jumped
    begin
    call apply
    stay
    function apply
    lds  r30, chosen
    lds  r31, chosen + 1
    ijmp
    end apply
    takes small, 8
    .data
chosen:
    .word gs(small)
#endif

/* A jump to a label whose address the function has. */
#ifdef labels
    begin
    ldi  r24, lo8(pm(there))
    ldi  r25, hi8(pm(there))
    lds  r18, chosen
    sbrc r18, 0
    ldi  r24, lo8(pm(elsewhere))
    sbrc r18, 0
    ldi  r25, hi8(pm(elsewhere))
    push r24
    push r25
    ret
there:
    push_times 3
1:  rjmp 1b
elsewhere:
    push_times 7
    stay
    .data
chosen:
    .byte 0
#endif

#ifdef unbounded
    begin
    call allocate
    stay
    function allocate
    in   r28, SPL
    in   r29, SPH
    sub  r28, r24
    sbc  r29, r25
    load_sp r29, r28
1:  rjmp 1b
    end allocate
#endif

#ifdef growing
    begin
1:  push r2
    rjmp 1b
    end reset_handler
#endif

/* A handler of level 1 above an entry, below two; one of level 0. */
#ifdef nested
    begin
    push_times 6
    idle
    can_defer
    entry FIRST, 10
    entry SECOND, 30
    function URGENT
    push_times 15
    pop_times 15
    reti
    end URGENT
    function OTHER
    push_times 9
    pop_times 9
    reti
    end OTHER
#endif

/* Entries that keep each other's sources quiet, and two more, one of which seems to. */
#ifdef exclusive
    begin
    idle
    can_defer
    entry FIRST, 10, "out 0x39, r24"
    entry SECOND, 30, "out 0x39, r24"
    entry URGENT, 10, nop
    entry OTHER, 10, nop
#endif

/* An entry calls one of two functions by Z. The lower half of the address of one and the upper half of the
 * other's are the address of a third one, which it does not call. */
#ifdef crossed
    begin
    idle
    can_defer
    .data
    .global deferred_begin, deferred_end
deferred_begin:
    .byte 0
deferred_end:
    .text
    .balign 512
    .global deferred_table
deferred_table:
    .word gs(handler)
    nop
    function no_handler
    ret
    end no_handler
    .balign 512
    nop
    function handler
    ret
    end handler
    takes bystander, 50
    function FIRST
    push r24
    sei
    lds  r24, level
    sbrc r24, 1
    rjmp 1f
    ldi  r30, lo8(gs(handler))
    ldi  r31, hi8(gs(handler))
    sbrc r24, 0
    rjmp interrupt_of_main
    ldi  r30, lo8(gs(no_handler))
    ldi  r31, hi8(gs(no_handler))
    rjmp interrupt_of_main
1:  jmp  low_defer
    end FIRST
    function interrupt_of_main
    icall
    pop  r24
    reti
    end interrupt_of_main
#endif

/* A request may be interrupted by a handler of level 0 that requests again. */
#ifdef requests
    begin
    idle
    can_defer
    entry FIRST, 10
    function URGENT
    reti
    end URGENT
    function request_handler
    push r24
    sei
    jmp  look_again
    end request_handler
    function look_again
    push r25
    call serve
    pop  r25
    pop  r24
    reti
    end look_again
    takes serve, 40
#endif

/* The same program as the next one, which says how much the stacks of its threads keep. */
#ifdef stated
#define interrupted
    .global arch_frame_stated
    .set arch_frame_stated, 80
#endif

/* An interrupt has its entry and the thread's registers on the stack of a thread, and its handler on
 * the kernel's. */
#ifdef interrupted
    .global arch_frame_bytes
    .set arch_frame_bytes, 40
    begin
    push_times 3
    idle
    function switch_away
1:  rjmp 1b
    end switch_away
    function interrupt_of_thread
    push_times 12
    in   r24, SPL
    in   r25, SPH
    ldi  r26, lo8(kernel_stack_top - 1)
    ldi  r27, hi8(kernel_stack_top - 1)
    load_sp r27, r26
    push r24
    push r25
    icall
    lds  r24, level
    pop  r25
    pop  r24
    load_sp r25, r24
    sbrc r24, 0
    rjmp switches
    pop_times 12
    rjmp ends
switches:
    push_times 18
    call switch_away
    pop_times 30
ends:
    pop  r31
    pop  r30
    pop  r24
    pop  r24
    reti
    end interrupt_of_thread
    .macro entry_of name, bytes
    function \name
    push r24
    sei
    lds  r24, level
    sbrc r24, 1
    rjmp 1f
    push r24
    push r30
    push r31
    ldi  r30, lo8(gs(body_\name))
    ldi  r31, hi8(gs(body_\name))
    jmp  interrupt_of_thread
1:  jmp  low_defer
    end \name
    takes body_\name, \bytes
    .endm
    entry_of FIRST, 10
    entry_of SECOND, 30
    function URGENT
    push_times 15
    pop_times 15
    reti
    end URGENT
    function low_defer
    push_times 5
    pop_times 5
    pop  r24
    reti
    end low_defer
    .data
level:
    .byte 0
#endif

/* What unmasks interrupts is interrupted there, and nests. */
#ifdef unmasks
    begin
    push_times 20
    idle
    function URGENT
    push_times 3
    sei
    push_times 2
    cli
    push_times 10
    pop_times 15
    reti
    end URGENT
    function OTHER
    push_times 9
    pop_times 9
    reti
    end OTHER
#endif

/* Vectors lead to handlers where their table is an object. */
#ifdef sized
    begin
    push_times 20
    idle
    function URGENT
    push_times 3
    pop_times 3
    reti
    end URGENT
#endif

/* Threads have stacks of their own; the kernel's begins at its top for each call, which returns to the
 * stack that was left. */
#ifdef threads
    begin
    push_times 3
    stay
    .data
    .word gs(thread)
    function thread
    push_times 100
    sei
    call kernel_call
    pop_times 100
    call kernel_call
    ret
    end thread
    function kernel_call
    in   r18, SPL
    in   r19, SPH
    ldi  r26, lo8(kernel_stack_top - 1)
    ldi  r27, hi8(kernel_stack_top - 1)
    load_sp r27, r26
    push r18
    push r19
    call service
    pop  r19
    pop  r18
    load_sp r19, r18
    ret
    end kernel_call
    takes service, 11
    can_defer
    entry FIRST, 10
#endif

/* A panic begins at the top with interrupts off, and one inside it does so again. */
#ifdef panics
    begin
    push_times 40
    call panic
    function panic
    cli
    set_stack
    push_times 23
    call report
    end panic
    function report
    call panic
    end report
#endif

/* Without threads the kernel level is on the stack of what idles. */
#ifdef events
    begin
    push_times 6
    idle
    can_defer
    function kernel_entry
    push_times 13
    call serve
    pop_times 13
    pop  r24
    out  SREG, r24
    pop  r24
    reti
    end kernel_entry
    takes serve, 7
    function request_handler
    push r24
    sei
    in   r24, SREG
    push r24
    jmp  kernel_entry_or_0
    end request_handler
    entry FIRST, 10
#endif

/* At the kernel level nobody asks for the kernel level: that panics. */
#ifdef asks
    begin
    push_times 6
    call ask
    stay
    function ask
    lds  r18, level
    tst  r18
    brne 1f
    jmp  call_of_main
1:  jmp  serve
    end ask
    function call_of_main
    ldi  r18, 1
    sts  level, r18
    call handle
    sts  level, r1
    ret
    end call_of_main
    function handle
    push_times 3
    call ask
    pop_times 3
    ret
    end handle
    takes serve, 7
    can_defer
#endif
