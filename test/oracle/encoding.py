# SPDX-License-Identifier: MIT OR Apache-2.0
"""Instructions as bits: the patterns of the lists of encodings in test/isa, filled in."""

import struct
import tomllib
from dataclasses import dataclass
from pathlib import Path
from random import Random

_LISTS = Path(__file__).resolve().parents[1] / "isa"


@dataclass(frozen=True)
class Encoding:
    """One encoding: halfwords of 16 characters each, digits for fixed bits, letters for fields."""

    name: str
    halfwords: tuple[str, ...]

    def width(self, letter: str) -> int:
        """Number of bits of a field."""
        return "".join(self.halfwords).count(letter)

    def letters(self) -> list[str]:
        """The fields, in the order of their first bits."""
        return list(dict.fromkeys(c for h in self.halfwords for c in h if c.isalpha()))

    def encode(self, fields: dict[str, int]) -> list[int]:
        """The halfwords with these fields, highest bit first; all others are zero."""
        left = {letter: self.width(letter) for letter in self.letters()}
        code = []
        for halfword in self.halfwords:
            value = 0
            for c in halfword:
                if c.isalpha():
                    left[c] -= 1
                    bit = fields.get(c, 0) >> left[c] & 1
                else:
                    bit = int(c)
                value = value << 1 | bit
            code.append(value)
        return code

    def any_fields(self, random: Random) -> dict[str, int]:
        """Random values for all fields."""
        return {letter: random.getrandbits(self.width(letter)) for letter in self.letters()}


def encodings(architecture: str) -> dict[str, Encoding]:
    """All encodings of an architecture by name; it is a folder of test/isa."""
    entries = tomllib.loads((_LISTS / architecture / "encodings.toml").read_text())["encoding"]
    return {
        entry["name"]: Encoding(
            entry["name"], tuple("".join(h.split()) for h in entry["pattern"].split(";"))
        )
        for entry in entries
    }


def pack(halfwords: list[int]) -> bytes:
    """Halfwords as they lie in memory."""
    return struct.pack(f"<{len(halfwords)}H", *halfwords)
