// SPDX-License-Identifier: MIT OR Apache-2.0
/* Takes two kinds of fault on purpose, a hundred times each: reads where nothing is, and calls the
 * supervisor with interrupts off. The handler goes on behind both. Then it lights the LED.
 */
#include "start.h"

#define SVC_OPCODE 0xDF00

/* The frame is on the main stack: there are no threads. */
__attribute__((used)) static void serve(uint32_t *frame)
{
    uint32_t *pc = &frame[6];
    uint16_t before = REG16(*pc - 2);

    if (before != SVC_OPCODE)
        *pc += 2;
}
__attribute__((naked)) void hard_fault_handler(void)
{
    __asm__ volatile("mov r0, sp\n"
                     "push {r4, lr}\n"
                     "bl serve\n"
                     "pop {r4, pc}");
}
void systick_handler(void)
{
}
void sercom0_handler(void)
{
}

void reset_handler(void)
{
    uint32_t nothing = 0x30000000;

    for (int i = 0; i < 100; i++) {
        __asm__ volatile("ldr r3, [%0]" : : "l"(nothing) : "r3", "memory");
        __asm__ volatile("cpsid i\n"
                         "svc #0\n"
                         "cpsie i"
                         :
                         :
                         : "memory");
    }
    PORT_DIRSET = LED;
    PORT_OUTTGL = LED;
    for (;;)
        __asm__ volatile("wfi");
}
