/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames of 100 bytes, as 802.15.4 has them at its level 5: a header of 21 bytes that is
 * authenticated, with short addresses and the security header; a text of 75; a tag of 4.
 *
 *   encrypt_call .. encrypt_return     a frame that is sent
 *   decrypt_call .. decrypt_return     one that is received
 *   check_call .. check_return         of that, the end: the tag
 */
#include <lichen/thread.h>

#include "../../kernel/mark.h"
#include "crypto/ccm.h"

enum {
    HEADER = 21,
    TEXT = 75,
    TAG = 4,
};

static union cipher_block key;
static uint8_t nonce[CCM_NONCE_BYTES], header[HEADER], text[TEXT], tag[TAG];
static volatile bool is_genuine;

static void encrypt(void)
{
    struct ccm ccm;

    BENCH_MARK(encrypt_call);
    ccm_begin(&ccm, &key, nonce, HEADER, TEXT, TAG);
    ccm_header(&ccm, header, HEADER);
    ccm_encrypt(&ccm, text, TEXT);
    ccm_tag(&ccm, tag);
    BENCH_MARK(encrypt_return);
}

static void decrypt(void)
{
    struct ccm ccm;

    BENCH_MARK(decrypt_call);
    ccm_begin(&ccm, &key, nonce, HEADER, TEXT, TAG);
    ccm_header(&ccm, header, HEADER);
    ccm_decrypt(&ccm, text, TEXT);
    BENCH_MARK(check_call);
    is_genuine = ccm_check(&ccm, tag);
    BENCH_MARK(check_return);
    BENCH_MARK(decrypt_return);
}

THREAD(enciphers, 320, PRIORITY_APP)
{
    for (;;) {
        encrypt();
        decrypt();
    }
}
