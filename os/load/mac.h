/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Whom an image trusts: who has its key. A container that is linked as it is ends with a CMAC under
 * that key. The build makes the key of the file that the image's manifest names (load.cmake); an
 * image without one has no cipher, and refuses all such containers.
 */
#ifndef LOAD_MAC_H
#define LOAD_MAC_H

#include <stdbool.h>
#include <stdint.h>

#include "crypto/cmac.h"

/* Takes the next bytes of a container, up to its tag. At first `cmac` is all 0.
 * context   thread
 * blocks    no       cost  a block of the cipher for each 16 bytes
 */
void mac_add(struct cmac *cmac, const uint8_t *bytes, uint16_t length);

/* Compares the tag, CIPHER_BYTES long.
 * returns   false, too, if the image has no key
 * context   thread
 * blocks    no
 */
bool mac_check(struct cmac *cmac, const uint8_t *tag);

/* The two, with a key (mac.c) and without (install.c). */
void mac_add_keyed(struct cmac *cmac, const uint8_t *bytes, uint16_t length);
bool mac_check_keyed(struct cmac *cmac, const uint8_t *tag);
void mac_add_none(struct cmac *cmac, const uint8_t *bytes, uint16_t length);
bool mac_check_none(struct cmac *cmac, const uint8_t *tag);

#endif
