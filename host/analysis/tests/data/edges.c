// SPDX-License-Identifier: MIT OR Apache-2.0
/* Functions of a few instructions, of which edges.rs says what is known. Built by
 *
 *   flags="-Os -gno-record-gcc-switches -nostartfiles -fdebug-prefix-map=$PWD=. -Wl,-e,early"
 *   arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -g $flags \
 *     -Wl,-Ttext=0x100,-Tdata=0x20000000 -o edges.armv6m.elf edges.c
 *   avr-gcc -mmcu=atmega128 -gdwarf-4 $flags -Wl,--section-start=.text=0x100 -o edges.avr8.elf
 * edges.c
 */

#ifdef __AVR__
#define EITHER(arm, avr) avr
#define BEGINS           ""
#else
#define EITHER(arm, avr) arm
#define BEGINS           ".syntax unified\n.thumb_func\n"
#endif

/* A function that the compiler has made, as far as the image says. */
#define MADE(name, arm, avr)                                                                       \
    __attribute__((naked, noinline, used)) void name(void)                                         \
    {                                                                                              \
        __asm__(EITHER(".syntax unified\n" arm, avr));                                             \
    }

/* One of assembly. */
#define ASSEMBLY(name, arm, avr)                                                                   \
    __asm__(".text\n.global " #name "\n.type " #name ", %function\n" BEGINS #name ":\n" EITHER(    \
        arm, avr) "\n.size " #name ", . - " #name "\n" EITHER(".syntax divided\n", ""));

ASSEMBLY(returns, "bx lr", "ret")
ASSEMBLY(jumps, "nop\nb returns", "nop\nrjmp returns")
ASSEMBLY(leaves, "bx r3", "ijmp")
MADE(early, "bx lr", "ret")
MADE(late, "b early", "rjmp early")
MADE(dies, "1: b 1b", "1: rjmp 1b")
MADE(tail_if, "cmp r0, #0\nbeq early\nmovs r0, #1\nbx lr", "tst r24\nbreq early\nldi r24, 1\nret")
MADE(dies_if, "cmp r0, #0\nbeq dies\nbx lr", "tst r24\nbreq dies\nret")
MADE(repeats, "1: subs r0, #1\nbeq early\nb 1b", "1: dec r24\nbreq early\nrjmp 1b")
MADE(calls_assembly, "push {r4, lr}\nbl returns\npop {r4, pc}", "call returns\nret")
MADE(calls_pointer, "push {r4, lr}\nblx r2\nmovs r3, #0\npop {r4, pc}", "movw r30, r22\nicall\nret")
MADE(anywhere, "ldr r1, =0x20000f00\nstr r0, [r1]\nbx lr\n.ltorg", "sts 0x0f00, r24\nret")
MADE(device, "ldr r1, =0x41004400\nstr r0, [r1]\nbx lr\n.ltorg", "sts 0x0065, r24\nret")
MADE(stacked, "sub sp, #8\nstr r0, [sp, #4]\nadd sp, #8\nbx lr", "push r24\npop r24\nret")

#ifdef __AVR__
ASSEMBLY(reserves, , "rcall .\npop r0\npop r0\nret")
ASSEMBLY(absent, , "call 0\nret")
ASSEMBLY(joined, , "sbrs r24, 0\nrjmp 1f\npush r30\npush r31\n1: ret")
ASSEMBLY(within, , "breq 1f + 2\n1: lds r24, 0x0000\nret")
ASSEMBLY(names_label, , "ldi r30, lo8(pm(1f))\nldi r31, hi8(pm(1f))\nsbrc r22, 0\nijmp\n1: ret")
ASSEMBLY(counts, , "1: dec r1\nbrne 1b\nret")
MADE(handler, , "reti")
#else
ASSEMBLY(far, "push {lr}\nbl 1f\nnop\n1: pop {pc}", )
ASSEMBLY(lost, "movs r0, #0\nmov pc, r0", )
MADE(clobbered, "push {r4, lr}\nmovs r3, #5\n1: bl early\nsubs r3, #1\nbne 1b\npop {r4, pc}", )
MADE(by_one_or_two,
     "movs r3, #6\n1: cmp r0, #0\nbeq 2f\nsubs r3, #1\n2: subs r3, #1\ncmp r3, #0\nbgt 1b\nbx lr", )
MADE(asks, "svc 0\nbx lr", )
MADE(devices, "ldr r1, =0x41004400\nldmia r1!, {r2, r3}\nbx lr\n.ltorg", )
MADE(pointer, "str r0, [r1]\nbx lr", )
#endif
