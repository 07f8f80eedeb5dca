/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blocks of AES.
 *
 *   cipher_call .. cipher_return     one block, by the board's cipher
 */
#include <lichen/thread.h>

#include "../../kernel/mark.h"
#include "crypto/cipher.h"

static union cipher_block key, block;

THREAD(enciphers, 256, PRIORITY_APP)
{
    for (;;) {
        BENCH_MARK(cipher_call);
        cipher_encrypt(&key, &block);
        BENCH_MARK(cipher_return);
    }
}
