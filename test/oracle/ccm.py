# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares CCM* as motes have it, compiled for this machine with sanitizers, with OpenSSL's, as the
package cryptography has it: `ccm.py FOLDER [--cases N] [--seed N]`.

FOLDER is where the program is built. Keys, nonces, lengths and contents are random; the lengths are
often at the ends of blocks, and some are the longest.
"""

import argparse
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from native import build, compare

SOURCES = [
    "os/crypto/ccm.c",
    "os/crypto/aes_words.c",
    "os/crypto/aes_bytes.c",
    "os/crypto/aes_box.c",
]

TAGS = [0, 4, 6, 8, 10, 12, 14, 16]
HEADER_MOST = 0xFEFF
TEXT_MOST = 0xFFFF


class Case(NamedTuple):
    text: str
    tag_bytes: int
    key: bytes
    nonce: bytes
    header: bytes
    plain: bytes
    seed: int

    def line(self) -> str:
        parts = [self.key, self.nonce, self.header, self.plain]
        written = " ".join(part.hex() or "-" for part in parts)
        return f"{self.text} {self.tag_bytes} {written} {self.seed}\n"

    def answer(self) -> str:
        """What the program must say."""
        if self.tag_bytes == 0:
            first = b"\x01" + self.nonce + b"\x00\x01"
            mode = modes.CTR(first)
            enciphered = Cipher(algorithms.AES(self.key), mode).encryptor().update(self.plain)
            return f"{enciphered.hex() or '-'} - 0"
        ccm = AESCCM(self.key, self.tag_bytes)
        sealed = ccm.encrypt(self.nonce, self.plain, self.header)
        enciphered, tag = sealed[: -self.tag_bytes], sealed[-self.tag_bytes :]
        return f"{enciphered.hex() or '-'} {tag.hex()} 0"


def length(random: Random, most: int) -> int:
    """Most frames are short, and what is special is at the ends of blocks."""
    kind = random.randrange(300)
    if kind == 0:
        return random.choice([most, most - 1, 255 * 16 + 1, 256 * 16, 256 * 16 + 1])
    if kind < 120:
        return random.randrange(10) * 16 + random.randrange(-1, 2) if kind > 10 else 0
    return random.randrange(160)


def make(random: Random) -> Case:
    return Case(
        random.choice(["words", "bytes"]),
        random.choice(TAGS),
        random.randbytes(16),
        random.randbytes(13),
        random.randbytes(max(0, length(random, HEADER_MOST))),
        random.randbytes(max(0, length(random, TEXT_MOST))),
        random.getrandbits(32),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cases", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random = Random(arguments.seed)
    cases = [make(random) for _ in range(arguments.cases)]
    program = build(arguments.folder, "ccm", SOURCES)
    return compare(program, [(case.line(), case.answer()) for case in cases])


if __name__ == "__main__":
    sys.exit(main())
