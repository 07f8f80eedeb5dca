/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICAz mote: the processor enciphers. In a separate file, so that a program that
 * does not encipher does not link it. */
#include "crypto/aes.h"

CIPHER_IS(aes_avr8)
