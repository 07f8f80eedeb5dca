# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares what motes do with secured frames, compiled for this machine with sanitizers, with a
receiver written from the standard over OpenSSL: `security.py FOLDER [--frames N] [--seed N]`.

Frames are genuine, sent again, of more devices than the receiver has room for, cut, changed, or
just bytes. Both must accept the same frames, and refuse the others for the same reason.
"""

import argparse
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from native import build, compare

SOURCES = [
    "os/net/security/devices.c",
    "os/net/security/frame.c",
    "os/net/security/header.c",
    "os/net/security/keys.c",
    "os/crypto/ccm.c",
    "os/crypto/aes_words.c",
    "os/crypto/aes_box.c",
]

# As in lichen/link_security.h.
REFUSALS = [
    "good",
    "header cut",
    "header reserved",
    "counter absent",
    "level missing",
    "level without MIC",
    "level refused",
    "key unknown",
    "device unknown",
    "counter last",
    "counter old",
    "MIC cut",
    "MIC wrong",
]
PLACES = 4
SENDERS = 7
PAN = 0x4321
NOBODY = 0xFFFF


def mic_bytes(level: int) -> int:
    return [0, 4, 8, 16][level & 3]


def key_of(mode: int) -> bytes:
    return bytes(16 * mode + i for i in range(16))


def levels_of(mode: int) -> set[int]:
    return {5, 6, 7} if mode == 1 else {1, 2, 3, 5, 6, 7}


def key_identifier(mode: int) -> bytes:
    source = bytes(range(1, 9))[: [0, 0, 4, 8][mode]]
    return b"" if mode == 0 else source + bytes([mode + 1])


def extended(sender: int) -> bytes:
    return bytes([0xAC, 0xDE, 0x48, 0, 0, 0, sender >> 8, sender & 0xFF])


class Frame(NamedTuple):
    """A frame before it is secured."""

    sender: int
    level: int
    mode: int
    counter: int
    before: bytes  # what precedes the security header
    open: bytes  # what follows it and is never enciphered
    private: bytes

    def header(self) -> bytes:
        control = bytes([self.level | self.mode << 3])
        return control + self.counter.to_bytes(4, "little") + key_identifier(self.mode)

    def plain(self) -> bytes:
        return self.before + self.header() + self.open + self.private

    def secured(self) -> bytes:
        """What follows the security header and the open bytes."""
        nonce = extended(self.sender) + self.counter.to_bytes(4, "big") + bytes([self.level])
        ccm = AESCCM(key_of(self.mode), mic_bytes(self.level))
        clear = self.before + self.header() + self.open
        if self.level < 4:
            return self.private + ccm.encrypt(nonce, b"", clear + self.private)
        return ccm.encrypt(nonce, self.private, clear)

    def bytes(self) -> bytes:
        return self.before + self.header() + self.open + self.secured()


class Place(NamedTuple):
    """Room for a device."""

    who: bytes | None = None
    least: int | None = None  # the least counter that is accepted; none: nothing was yet
    short: int = NOBODY

    def worth(self) -> tuple[int, int]:
        """The device of which this is the least loses its place."""
        return (self.who is not None) + (self.least is not None), self.least or 0


class Receiver:
    """Which frames are accepted, and why others are not."""

    def __init__(self) -> None:
        self.places = [Place()] * PLACES
        self.floor = 0

    def index(self, who: bytes) -> int | None:
        return next((i for i, place in enumerate(self.places) if place.who == who), None)

    def last(self) -> int:
        return min(range(PLACES), key=lambda i: self.places[i].worth())

    def take(self, at: int, place: Place) -> None:
        self.floor = max(self.floor, self.places[at].least or 0)
        self.places[at] = place

    def name(self, who: bytes, short: int) -> None:
        at = self.index(who)
        if at is None:
            at = self.last()
            if self.places[at].least is not None:
                return
            self.take(at, Place(who))
        for i, place in enumerate(self.places):
            if place.short == short:
                self.places[i] = place._replace(short=NOBODY)
        self.places[at] = self.places[at]._replace(short=short)

    def accept(self, who: bytes, least: int) -> None:
        at = self.index(who)
        if at is None:
            self.take(self.last(), Place(who, least))
        else:
            most = max(least, self.places[at].least or 0)
            self.places[at] = self.places[at]._replace(least=most)

    def least(self, who: bytes) -> int:
        at = self.index(who)
        least = None if at is None else self.places[at].least
        return self.floor if least is None else least

    def header(self, data: bytes) -> tuple[str, int, int, int, int]:
        """Refusal, level, mode, counter and length of the security header."""
        if not data:
            return "header cut", 0, 0, 0, 0
        level, mode = data[0] & 7, data[0] >> 3 & 3
        for bits, refusal in [(0x80, "header reserved"), (0x60, "counter absent")]:
            if data[0] & bits:
                return refusal, 0, 0, 0, 0
        if level in (0, 4):
            return "level missing" if level == 0 else "level without MIC", 0, 0, 0, 0
        length = 5 + [0, 1, 5, 9][mode]
        if len(data) < length:
            return "header cut", 0, 0, 0, 0
        if mode > 0 and data[length - 1] == 0:
            return "header reserved", 0, 0, 0, 0
        return "good", level, mode, int.from_bytes(data[1:5], "little"), length

    def receive(self, who: bytes | None, short: int, at: int, open_bytes: int, data: bytes) -> str:
        refusal, level, mode, counter, length = self.header(data[at:])
        if refusal != "good":
            return f"{REFUSALS.index(refusal)}"
        end = min(at + length + open_bytes, len(data))
        mic = mic_bytes(level)
        refusal = self.check(who, short, level, mode, counter, data[at : at + length])
        if len(data) - end < mic:
            refusal = "MIC cut"
        sender = who or self.sender(short)
        if refusal != "good" or sender is None:
            return f"{REFUSALS.index(refusal)}"
        nonce = sender + counter.to_bytes(4, "big") + bytes([level])
        ccm, clear, rest = AESCCM(key_of(mode), mic), data[:end], data[end:]
        try:
            if level < 4:
                ccm.decrypt(nonce, rest[-mic:], clear + rest[:-mic])
                private = rest[:-mic]
            else:
                private = ccm.decrypt(nonce, rest, clear)
        except Exception:
            return f"{REFUSALS.index('MIC wrong')}"
        self.accept(sender, counter + 1)
        return f"0 {(clear + private).hex()}"

    def sender(self, short: int) -> bytes | None:
        return next((place.who for place in self.places if place.short == short), None)

    def check(
        self, who: bytes | None, short: int, level: int, mode: int, counter: int, header: bytes
    ) -> str:
        if header[5:] != key_identifier(mode):
            return "key unknown"
        if level not in levels_of(mode):
            return "level refused"
        sender = who or (self.sender(short) if short != NOBODY else None)
        if sender is None:
            return "device unknown"
        if counter == 0xFFFFFFFF:
            return "counter last"
        return "counter old" if counter < self.least(sender) else "good"


class Traffic:
    """Frames on the air, and what both receivers say of them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.receiver = Receiver()
        self.counters = {sender: random.randrange(40) for sender in range(SENDERS)}
        self.heard: list[tuple[bytes | None, int, int, int, bytes]] = []
        self.cases: list[tuple[str, str | None]] = []

    def frame(self) -> Frame:
        random = self.random
        sender = random.randrange(SENDERS)
        mode = random.randrange(4)
        self.counters[sender] += random.choice([1, 1, 1, 2, 17])
        return Frame(
            sender,
            random.choice(sorted(levels_of(mode))),
            mode,
            self.counters[sender],
            random.randbytes(random.randrange(3, 24)),
            random.randbytes(random.choice([0, 0, 1, 4])),
            random.randbytes(random.choice([0, 1, 3, 16, random.randrange(100), 2000])),
        )

    def hear(self, who: bytes | None, short: int, at: int, open_bytes: int, data: bytes) -> None:
        answer = self.receiver.receive(who, short, at, open_bytes, data)
        name = who.hex() if who else "-"
        line = f"{name} {PAN} {short} {at} {open_bytes} {data.hex() or '-'}\n"
        self.cases.append((line, answer))

    def send(self, frame: Frame) -> None:
        """What a mote makes of it must be the same."""
        source = key_identifier(frame.mode)[:-1].hex() or "-"
        index = frame.mode + 1 if frame.mode else 0
        room = (frame.private + bytes(mic_bytes(frame.level))).hex()
        # The open bytes come before the header here, where they are authenticated as well.
        moved = frame._replace(before=frame.before + frame.open, open=b"")
        line = (
            f"send {frame.level} {frame.mode} {index} {source} {extended(frame.sender).hex()} "
            f"{frame.counter} {moved.before.hex()} {room}\n"
        )
        self.cases.append((line, f"0 {(moved.header() + moved.secured()).hex()}"))

    def addressed(self, frame: Frame) -> tuple[bytes | None, int]:
        """How the frame names its sender: now and then by its short address."""
        if self.random.randrange(4) > 0:
            return extended(frame.sender), NOBODY
        return None, self.random.choice([frame.sender + 1, frame.sender + 1, NOBODY, 99])

    def name_one(self) -> None:
        sender = self.random.randrange(SENDERS)
        who, short = extended(sender), sender + 1
        self.receiver.name(who, short)
        self.cases.append((f"name {who.hex()} {PAN} {short}\n", None))

    def add_one(self) -> None:
        sender = self.random.randrange(SENDERS)
        who, least = extended(sender), self.counters[sender] + 1
        self.receiver.accept(who, least)
        self.cases.append((f"add {who.hex()} {least}\n", None))

    def changed(self, data: bytes) -> bytes:
        random = self.random
        kind = random.randrange(4)
        if kind == 0:
            return data[: random.randrange(len(data) + 1)]
        if kind == 1:
            return data + random.randbytes(random.randrange(1, 20))
        at = random.randrange(len(data))
        return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]

    def step(self) -> None:
        random = self.random
        kind = random.randrange(20)
        if kind == 0:
            self.name_one()
        elif kind == 1 and random.randrange(4) == 0:
            self.add_one()
        elif kind < 6 and self.heard:
            self.hear(*random.choice(self.heard[-30:]))
        elif kind < 12 and self.heard:
            who, short, at, open_bytes, data = random.choice(self.heard[-30:])
            data = self.changed(data)
            self.hear(who, short, min(at, len(data)), open_bytes, data)
        elif kind == 12:
            data = random.randbytes(random.randrange(60))
            at = random.randrange(len(data) + 1)
            self.hear(extended(random.randrange(SENDERS)), NOBODY, at, random.randrange(4), data)
        elif kind == 13 and random.randrange(4) == 0:
            last = {"counter": 0xFFFFFFFF}
            weak = {"mode": 1, "level": random.randrange(1, 4)}
            frame = self.frame()._replace(**random.choice([last, weak]))
            who, short = extended(frame.sender), NOBODY
            self.hear(who, short, len(frame.before), len(frame.open), frame.bytes())
        else:
            frame = self.frame()
            self.send(frame)
            who, short = self.addressed(frame)
            self.heard.append((who, short, len(frame.before), len(frame.open), frame.bytes()))
            self.hear(*self.heard[-1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--frames", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    traffic = Traffic(Random(arguments.seed))
    for _ in range(arguments.frames):
        traffic.step()
    answers = [answer.split()[0] for _, answer in traffic.cases if answer is not None]
    for number, refusal in enumerate(REFUSALS):
        if str(number) not in answers:
            print(f"no frame was to be refused for: {refusal}", file=sys.stderr)
            return 1
    return compare(build(arguments.folder, "security", SOURCES), traffic.cases)


if __name__ == "__main__":
    sys.exit(main())
