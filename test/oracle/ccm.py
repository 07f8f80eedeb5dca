# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares CCM* as motes have it, compiled for this machine with sanitizers, with OpenSSL's, as the
package cryptography has it: `ccm.py FOLDER [--cases N] [--seed N]`.

FOLDER is where the program is built. Keys, nonces, lengths and contents are random; the lengths are
often at the ends of blocks, and some are the longest.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [
    "test/oracle/ccm.c",
    "os/crypto/ccm.c",
    "os/crypto/aes_words.c",
    "os/crypto/aes_bytes.c",
    "os/crypto/aes_box.c",
]
OPTIONS = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# The architecture is this machine. Headers of the C library are this machine's, too, not those that
# os/include has in front of them.
INCLUDES = ["-I{}/test/native", "-I{}/os", "-idirafter{}/os/include"]

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


def build(folder: Path) -> Path:
    program = folder / "ccm"
    folder.mkdir(parents=True, exist_ok=True)
    includes = [option.format(ROOT) for option in INCLUDES]
    sources = [ROOT / name for name in SOURCES]
    subprocess.run(["cc", *OPTIONS, *SANITIZERS, *includes, "-o", program, *sources], check=True)
    return program


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cases", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random = Random(arguments.seed)
    cases = [make(random) for _ in range(arguments.cases)]
    program = build(arguments.folder)
    lines = "".join(case.line() for case in cases)
    run = subprocess.run([program], input=lines, capture_output=True, text=True)
    said = run.stdout.splitlines()
    for case, line in zip(cases, said, strict=False):
        if line != case.answer():
            print(f"{case.line()}here:  {line}\nthere: {case.answer()}", file=sys.stderr)
            return 1
    if run.returncode != 0 or len(said) != len(cases):
        print(run.stderr, end="", file=sys.stderr)
        print(f"after {len(said)} of {len(cases)} cases", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
