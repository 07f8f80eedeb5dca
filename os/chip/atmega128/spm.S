/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Writes flash while the mote runs (ATmega128 data sheet, Boot Loader Support - Read-While-Write
 * Self-Programming).
 *
 * SPM works in the boot section only. While it erases or writes a page below that, nothing there can
 * be fetched or read. So a program that links this file has in the boot section what runs meanwhile:
 * vectors, entries, tasks of level 0, and this. Start-up moves the vectors there if the fuses make
 * the boot section as large as the linker script says; otherwise a second table, at 0, leads to
 * them, and nothing is written.
 *
 * Meanwhile `arch_level` is LEVEL_LEAVING: entries defer their handlers, and requests of the kernel
 * level wait, as they do while a thread changes stacks (arch/avr8/levels.S).
 *
 * SPM_READY is how the kernel level is requested, so requests store to SPMCSR, too. One between the
 * store of a command and its SPM would undo the command: interrupts are off there, for 8 cycles. The
 * command clears a request that has come just before, and has not been served; whoever leaves here
 * looks at `arch_requested`, and requests again.
 *
 * While the EEPROM is written, SPM does nothing.
 */
#include <lichen/vectors.h>

/* arch/avr8/macros.inc */
#define LEVEL_LEAVING 3
    .macro function name
    .global \name
    .type \name, @function
\name:
    .endm

#define SREG   0x3f
#define RAMPZ  0x3b
#define MCUCR  0x35
#define IVSEL  1
#define IVCE   0
#define EECR   0x1c
#define EEWE   1
#define SPMCSR 0x68
#define RWWSB  6
#define SPMEN  0

/* Commands. */
#define FILL   0x01
#define ERASE  0x03
#define WRITE  0x05
#define LOCK   0x09
#define ENABLE 0x11

#define BOOTSZ 0x06 /* of the high byte of the fuses, at 3 */

/* ---------------------------------------------------------------- vectors */
/* Where the fuses leave the vectors at 0, and for a reset. */
    .section .vector_table_at_0, "ax"
    .global vector_table_at_0
    .type vector_table_at_0, @function
vector_table_at_0:
    .set at, 0
    .rept 35
    jmp  vectors + at
    .set at, at + 4
    .endr
    .size vector_table_at_0, . - vector_table_at_0

/* A part of start-up (arch/avr8/start.S). */
    .section .start.vectors, "ax"
    ldi  r30, 3
    ldi  r31, 0
    ldi  r18, LOCK
    sts  SPMCSR, r18
    lpm  r18, Z
    andi r18, BOOTSZ
    brne 1f
    ldi  r18, 1 << IVCE
    out  MCUCR, r18
    ldi  r18, 1 << IVSEL
    out  MCUCR, r18
1:

/* ---------------------------------------------------------------- commands */
/* Goes to a label, with interrupts off, once the EEPROM is not written. */
    .macro lock_eeprom
1:  cli
    sbis EECR, EEWE
    rjmp 2f
    sei
    rjmp 1b
2:
    .endm

    .section .text.boot.spm, "ax"
/* void spm_fill(uint8_t offset, uint16_t halfword) */
    function spm_fill
    in   r30, MCUCR
    sbrs r30, IVSEL
    ret
    mov  r30, r24
    ldi  r31, 0
    movw r0, r22
    ldi  r18, FILL
    lock_eeprom
    sts  SPMCSR, r18
    spm
    sei
    clr  r1
    rjmp request_again
    .size spm_fill, . - spm_fill

/* void spm_page(uint16_t page, uint8_t steps): erases a page, by its number, unless bit 1 is set, and
 * writes the buffer if bit 0 is. */
    function spm_page
    in   r18, SREG
    sbrs r18, 7
    rjmp no_thread
    lds  r18, arch_level
    tst  r18
    brne no_thread
    ldi  r18, LEVEL_LEAVING
    sts  arch_level, r18
    out  RAMPZ, r25
    mov  r31, r24
    ldi  r30, 0
    ldi  r18, ERASE
    sbrs r22, 1
    rcall run
    sbrs r22, 0
    rjmp 1f
    ldi  r18, WRITE
    rcall run
1:  ldi  r18, ENABLE
    rcall run
    sts  arch_level, r1
/* A request may have come to nothing. */
request_again:
    lds  r18, arch_requested
    sbrs r18, 0
    ret
    ldi  r18, ARCH_REQUEST_VALUE
    sts  ARCH_REQUEST_REGISTER, r18
    ret
no_thread:
    jmp  panic_no_thread

/* Runs the command r18 on the page at RAMPZ:Z to its end. changes: r18 */
run:
    lock_eeprom
    sts  SPMCSR, r18
    spm
    sei
1:  lds  r18, SPMCSR
    sbrc r18, SPMEN
    rjmp 1b
    ret
    .size spm_page, . - spm_page

/* void spm_forget(void): empties the buffer, which this command does where nothing is written. */
    function spm_forget
    in   r18, MCUCR
    sbrs r18, IVSEL
    ret
    ldi  r18, ENABLE
    rcall run
    rjmp request_again
    .size spm_forget, . - spm_forget

/* uint8_t spm_lock_bits(void) */
    function spm_lock_bits
    ldi  r30, 1
    ldi  r31, 0
    ldi  r18, LOCK
    lock_eeprom
    sts  SPMCSR, r18
    lpm  r24, Z
    sei
    rjmp request_again
    .size spm_lock_bits, . - spm_lock_bits

/* An interrupt that has no handler (vectors.S): what panics cannot be fetched yet. */
    .section .text.boot.unexpected, "ax"
    function spm_unexpected
    push r18
1:  lds  r18, SPMCSR
    sbrc r18, SPMEN
    rjmp 1b
    sbrs r18, RWWSB
    rjmp 2f
    ldi  r18, ENABLE
    sts  SPMCSR, r18
    spm
2:  pop  r18
    jmp  unexpected_handler
    .size spm_unexpected, . - spm_unexpected
