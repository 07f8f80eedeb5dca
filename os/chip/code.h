/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip offers to the loader: flash that holds code, written page by page while the mote
 * runs.
 *
 * The linker script says where programs go (`programs_begin` to `programs_end`), where the two
 * pages of their directory are, and what holds a container until it is installed.
 *
 * While a page is erased or written nothing can be read from the flash that programs are in. On the
 * ATmega128 tasks of level 0 run meanwhile, from the boot section, and handlers of level 1 and the
 * kernel level wait; on the SAM R21 tasks in RAM run, and all else waits. Bytes that a UART or a
 * CC1000 receives meanwhile are lost beyond what the hardware holds, so senders pause.
 */
#ifndef CHIP_CODE_H
#define CHIP_CODE_H

#include <stdint.h>

#include <lichen/arch.h>

enum {
    CODE_PAGE = 256, /* bytes */
};

/* Addresses in bytes of flash. */
typedef uint32_t code_address_t;

/* Where programs go, a multiple of CODE_PAGE; the first of the directory's two pages; and what
 * keeps a container.
 * context   any
 * blocks    no
 */
code_address_t code_programs_begin(void);
code_address_t code_programs_end(void);
code_address_t code_directory(void);
code_address_t code_staging_begin(void);
code_address_t code_staging_end(void);

/* Reads a halfword of flash.
 * address   even
 * context   any
 * blocks    no
 */
uint16_t code_read(code_address_t address);

/* Reads so many bytes of flash, an even number, within 64 KB.
 * address   even; `to` may be any
 * context   any
 * blocks    no
 */
void code_read_all(code_address_t address, void *to, uint8_t bytes);

/* Puts a halfword into the buffer of a page. What is not put before code_write is 0xffff.
 * offset    in the page, even; each once
 * context   thread; one at a time
 * blocks    no
 */
void code_put(uint8_t offset, uint16_t halfword);

/* Empties the buffer.
 * context   thread; one at a time
 * blocks    no
 */
void code_forget(void);

/* Erases a page, writes what was put, and empties the buffer. On the SAM R21 no thread may write
 * storage meanwhile, which has the same controller: code_write_in_turn.
 * page      a multiple of CODE_PAGE
 * returns   0; ERR_IO: it cannot be written, which the ATmega128's fuses may be the reason for
 * context   thread; one at a time
 * blocks    no, it holds the processor: 8.2 ms on the ATmega128, 16 ms on the SAM R21
 */
int code_write(code_address_t page);

/* Writes what was put into a page without erasing it, and empties the buffer. For a page that was
 * erased, and is written in pieces, each halfword once. The SAM R21 bears eight such calls a page.
 * returns   as code_write
 * context   thread; one at a time
 * blocks    no, it holds the processor: 4.1 ms on the ATmega128, 2.5 ms on the SAM R21 for each 64
 *           bytes that are written
 */
int code_add(code_address_t page);

/* Erases a page, and empties the buffer.
 * returns   as code_write
 * context   thread; one at a time
 * blocks    no, it holds the processor: 4.1 ms on the ATmega128, 6 ms on the SAM R21
 */
int code_erase(code_address_t page);

/* The same three, one at a time with what threads read and write in logs and volumes, if these are
 * in the same flash.
 * context   thread; one at a time
 * blocks    yes, for storage on the SAM R21; and they hold the processor as above
 */
int code_write_in_turn(code_address_t page);
int code_add_in_turn(code_address_t page);
int code_erase_in_turn(code_address_t page);

/* Keeps threads from reading and writing what is in the same flash, if there is any, until
 * code_release: who is sent something over a serial line hears nothing while a page is written. The
 * three above are for the same thread meanwhile. Each may be called again without an effect.
 * context   thread; one at a time, also with the three above
 * blocks    code_hold: yes, for storage on the SAM R21
 */
void code_hold(void);
void code_release(void);

#endif
