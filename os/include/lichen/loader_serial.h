/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs that come over the serial console, beside what is typed there.
 *
 *     LOADER(PRIORITY_LOW);
 *     LOADER_SERIAL("base");
 *
 * makes an image take programs (lichen/loader.h) from `lichen load`, and be asked for them and told
 * about them by `lichen ps`, `start`, `stop` and `remove`. Their frames (doc/spec/loading.md) share
 * the line with the text of the console: console_read and the shell do not see them. In such an
 * image nobody reads the character 0x02, which begins a frame, and what follows it up to the next
 * line's end.
 *
 * The mote listens all the time: on the ATmega128 it sleeps no deeper than in idle mode
 * (lichen/console.h). What is typed while a page of flash is written may be lost: 46 bytes at
 * 57,600 baud on the ATmega128. Frames are repeated. On the SAM R21, where logs are in the same
 * flash, a call of them may wait for 350 ms after a frame has begun, and 50 ms after its answer: so
 * the host is heard, whatever programs write.
 */
#ifndef LICHEN_LOADER_SERIAL_H
#define LICHEN_LOADER_SERIAL_H

#include <lichen/arch.h>
#include <lichen/loaded.h>
#include <lichen/loader.h>

/* Declares that the loader's thread takes them, once in a program.
 * image     the name that `lichen ps` shows of the image
 */
#define LOADER_SERIAL(image)                                                                       \
    const char load_image_name[] ARCH_FLASH_PLACED(load_image_name) = (image);                     \
    _Static_assert(sizeof(image) <= LOADER_NAME_BYTES, "a shorter name of the image");             \
    DECLARATION_NEEDS(load_serial_serve)

extern const char load_image_name[];

#endif
